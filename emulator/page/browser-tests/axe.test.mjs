// WCAG 2.2 AA as far as axe can see it: every pane, dialog and message, in both themes and in a narrow window.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { atCycle, openFile, showView, withPage } from "./browser.mjs";

const { source } = createRequire(import.meta.url)("axe-core");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const TABS = ["Lessons", "Bench", "Board", "Chip", "RAM", "Waves", "Why?"];

/** Fails if axe finds something on the page as it is. */
async function sound(page, where) {
  const found = await page.evaluate(async (tags) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 160)} ${[...any, ...all].map(({ message }) => message).join("; ").slice(0, 200)}`));
  }, RULES);
  assert.deepEqual(found.slice(0, 12), [], `${where}: ${found.length} findings`);
}

for (const [theme, options] of Object.entries({
  "the light theme": { colorScheme: "light", viewport: { width: 1280, height: 720 } },
  "the dark theme": { colorScheme: "dark", viewport: { width: 1280, height: 720 } },
  "a window of a phone": { viewport: { width: 390, height: 760 }, hasTouch: true },
  "a window of 320 x 256, 1280 x 1024 at 400 %": { viewport: { width: 320, height: 256 } },
})) {
  test(`axe finds nothing in any pane, in ${theme}`, async () => {
    await withPage(async (page) => {
      await page.evaluate(source);
      for (const view of ["LEDs", "Source"]) {
        await showView(page, view);
        await sound(page, view);
      }
      await showView(page, "Inside");
      await page.getByRole("button", { name: "Forward one phase" }).click();
      await atCycle(page, 0, 1);
      for (const tab of TABS) {
        await page.getByRole("tab", { name: tab }).click();
        if (tab === "Bench") {
          await page.locator("[data-focus=data-0-0]").click();
          await page.getByRole("button", { name: "Check" }).click();
          await page.locator(".verdict.failed button").waitFor();
        }
        if (tab === "Why?") {
          await page.locator("#why-what").fill("A");
          await page.keyboard.press("Enter");
          await page.locator(".why-answer h3").waitFor();
        }
        await sound(page, tab);
      }
    }, options);
  });
}

test("axe finds nothing in the tour, in dialogs, menus and messages, and beside a faulty program", async () => {
  await withPage(async (page) => {
    await page.evaluate(source);
    await page.getByRole("button", { name: "Tour" }).click();
    await sound(page, "tour");
    await page.keyboard.press("Escape");
    for (const opener of ["#help", "#options"]) {
      await page.locator(opener).click();
      await sound(page, opener);
      await page.keyboard.press("Escape");
    }
    for (const opener of ["#save", "#file-menu"]) {
      await page.locator(opener).click();
      await sound(page, opener);
      await page.keyboard.press("Escape");
    }
    await page.locator("#link").click();
    await page.locator("#banner").waitFor();
    await page.locator("#counts").click();
    await sound(page, "message and counts");
    await openFile(page, "uses.g1", '      .include "lib/logic.g1"\n      not\nhalt: jmp  halt\n');
    await page.locator("#included .cm-running").waitFor();
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("F9");
    await page.locator("#points summary").click();
    await sound(page, "included file and breakpoints");
    await openFile(page, "wrong.g1", "      lda  #300\nhalt: jmp  halt\n");
    await page.locator("#problems .code").waitFor();
    await sound(page, "errors");
  });
});
