// Completion, hover and definitions in the editor.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openFile, withPage } from "./browser.mjs";

const PROGRAM = `      .include "lib/logic.g1"
; How many there are.
.ram  count
.macro twice v
      lda  v
.endmacro
again: lda  #6
      and  count
      sta  count
      jmp  again
`;

const options = (page) => page.locator(".cm-tooltip-autocomplete li").allInnerTexts();

test("words are completed: statements where one begins, names behind it, the program's own among them", async () => {
  await withPage(async (page) => {
    const take = async () => {
      await page.waitForTimeout(200); // an answer right after it has come is not taken, by design of the editor
      await page.keyboard.press("Enter");
    };
    await openFile(page, "words.g1", PROGRAM);
    await page.locator("#size", { hasText: "words" }).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("      tw");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "twice" }).waitFor();
    assert.ok((await options(page)).every((option) => !option.startsWith("count")));
    await take();
    await page.locator(".cm-line", { hasText: /^ {6}twice$/ }).waitFor();
    await page.keyboard.type(" cou");
    await page.locator(".cm-tooltip-autocomplete li[aria-selected=true]", { hasText: /^count(?!_)/ }).waitFor();
    await take();
    await page.locator(".cm-line", { hasText: /^ {6}twice count$/ }).waitFor();
    // Nothing is offered in a comment.
    await page.keyboard.type(" ; cou");
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".cm-tooltip-autocomplete").count(), 0);
  });
});

test("a word under the pointer is explained, and F12 goes to its definition, also in the library", async () => {
  await withPage(async (page) => {
    await openFile(page, "words.g1", PROGRAM);
    await page.locator("#size", { hasText: "words" }).waitFor();
    const word = async (line, text) => {
      const at = page.locator(".cm-line", { hasText: line }).first();
      const box = await at.evaluate((element, text) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const start = node.data.indexOf(text);
          if (start < 0) continue;
          const range = document.createRange();
          range.setStart(node, start);
          range.setEnd(node, start + text.length);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
        return null;
      }, text);
      return box;
    };
    const store = await word("sta  count", "count");
    await page.mouse.move(store.x, store.y);
    await page.locator(".word-card", { hasText: "1 byte of RAM at" }).filter({ hasText: "How many there are." }).waitFor();
    await page.mouse.click(store.x, store.y);
    await page.keyboard.press("F12");
    await page.locator(".cm-activeLine", { hasText: ".ram  count" }).waitFor();
    const and = await word("and  count", "and");
    await page.mouse.click(and.x, and.y);
    await page.keyboard.press("F12");
    await page.locator("#included .cm-running", { hasText: ".macro and v" }).waitFor();
  });
});
