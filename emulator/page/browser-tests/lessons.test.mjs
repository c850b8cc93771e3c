// The lessons beside the machine: all can be opened, and an exercise of each kind is solved in the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type, withPage, withProfile } from "./browser.mjs";

/** Opens the lesson of an exercise, and returns the exercise. */
async function exercise(page, id) {
  await page.getByRole("tab", { name: "Lessons" }).click();
  await page.getByRole("combobox", { name: "Lesson" }).selectOption(id.split(".")[0]);
  const found = page.getByRole("region", { name: `Exercise ${id}` });
  await found.waitFor();
  return found;
}

const check = (exercise) => exercise.getByRole("button", { name: "Check" }).click();
const verdict = (exercise, words) => exercise.locator(".verdict", { hasText: words }).waitFor();

test("nine lessons with two exercises each", async () => {
  await withPage(async (page) => {
    await page.getByRole("tab", { name: "Lessons" }).click();
    const choice = page.getByRole("combobox", { name: "Lesson" });
    await choice.locator("option").nth(8).waitFor({ state: "attached" });
    const numbers = await choice.locator("option").evaluateAll((options) => options.map(({ value }) => value));
    assert.deepEqual(numbers, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    for (const number of numbers) {
      await choice.selectOption(number);
      assert.equal(await page.locator(".exercise").count(), 2);
      assert.equal(await page.locator(".lesson-body .wrong").count(), 0);
      assert.ok((await page.locator(".lesson-body").innerText()).length > 1500);
    }
  });
});

test("a table is filled in by clicks, and solved exercises are remembered", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    let adder = await exercise(page, "1.1");
    await check(adder);
    await verdict(adder, "Not yet.");
    const bits = adder.locator(".truth td.data button");
    const sums = [...Array(8).keys()].map((row) => [row & 1, (row >> 1) & 1, row >> 2].reduce((sum, bit) => sum + bit));
    const wanted = sums.flatMap((sum) => [String(sum >> 1), String(sum & 1)]);
    assert.equal(await bits.count(), wanted.length);
    for (const [index, bit] of wanted.entries()) {
      for (let clicks = 0; clicks < 3 && (await bits.nth(index).innerText()) !== bit; clicks++) await bits.nth(index).click();
    }
    await check(adder);
    await verdict(adder, "Solved.");
    await page.reload();
    adder = await exercise(page, "1.1");
    await adder.locator(".solved", { hasText: "solved" }).waitFor();
  });
});

test("a program is written in the editor and checked by running it", async () => {
  await withPage(async (page) => {
    const odd = await exercise(page, "5.2");
    await odd.getByRole("button", { name: "Open in the editor" }).click();
    await page.locator("#name", { hasText: "exercise-5.2.g1" }).waitFor();
    await check(odd);
    await verdict(odd, "Not yet.");
    const start = await page.locator(".cm-content").innerText();
    const ram = start.split("\n").filter((line) => /^\s*\.ram/.test(line));
    await type(page, `${ram.join("\n")}\n      shr  x\n      jc   odd\n      lda  #'E'\n      jmp  send\nodd:  lda  #'O'\nsend: sta  OUT\nhalt: jmp  halt\n`);
    await check(odd);
    await verdict(odd, "Solved.");
  });
});

test("text that is no answer is reported as such, and the program of an exercise runs on its faulty board", async () => {
  await withPage(async (page) => {
    const hole = await exercise(page, "1.2");
    await hole.getByRole("textbox").fill("nonsense");
    await check(hole);
    await hole.locator(".verdict.failed").waitFor();
    assert.ok((await hole.locator(".verdict").innerText()).length > 20);
    await hole.getByRole("button", { name: "From the start" }).click();
    await hole.getByRole("button", { name: "Run it on this board" }).click();
    await page.locator("#name", { hasText: "exercise-1.2.g1" }).waitFor();
    await page.getByRole("slider", { name: "Speed" }).press("End");
    await page.locator("#run").click();
    // On the faulty board 9 + 8 gives 1, and 3 + 4 still gives 7.
    await page.locator("#output", { hasText: /^‹1›‹7›$/ }).waitFor();
  });
});

test("if a board is refused, nothing runs, not even the board before it", async () => {
  await withPage(async (page) => {
    const hole = await exercise(page, "1.2");
    await hole.getByRole("button", { name: "Run it on this board" }).click();
    await page.locator("#name", { hasText: "exercise-1.2.g1" }).waitFor();
    await hole.getByRole("textbox").fill("NOWHERE = 1");
    await hole.getByRole("button", { name: "Run it on this board" }).click();
    const refusal = page.getByRole("alert").getByText("NOWHERE");
    await refusal.waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await page.locator("#run").click();
    await refusal.waitFor();
    await page.locator("#run", { hasText: "Run" }).waitFor();
    assert.equal(await page.locator("#output").innerText(), "");
  });
});

test("only the lesson is printed", async () => {
  await withPage(async (page) => {
    const adder = await exercise(page, "1.1");
    await page.emulateMedia({ media: "print" });
    await adder.locator(".truth").waitFor();
    for (const part of ["header", "#panel", "#source", "#tabs", ".transport", ".exercise .toolbar"]) {
      assert.equal(await page.locator(part).first().isVisible(), false, part);
    }
    const lesson = await page.locator(".lesson-body").boundingBox();
    assert.ok(lesson.height > 2 * page.viewportSize().height, "all of it, not a window of it");
  });
});

test("if no lesson is open, the whole source is printed, and the pane beside it", async () => {
  await withPage(async (page) => {
    await page.locator("#program-choice").selectOption("sort.g1");
    await page.locator("#name", { hasText: "sort.g1" }).waitFor();
    await page.getByRole("tab", { name: "Board" }).click();
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const lines = await page.locator(".paper pre > div").allInnerTexts();
    assert.match(lines[0], /^ *1 {2}; Sorts 32/);
    assert.match(lines.at(-1), /184 {2}.include/);
    assert.ok(lines.length > 120);
    assert.equal(await page.locator("#source").isVisible(), false);
    assert.equal(await page.locator(".board-svg").isVisible(), true);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator(".paper").innerText(), "");
  });
});
