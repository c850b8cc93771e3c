// The margin of the source: breakpoints with conditions and hit counts, and how often each line was run.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, cycle, openFile, ready, runButton, setSpeed, standing, type, withPage, withProfile } from "./browser.mjs";

/** Five instructions per round; `n` counts the rounds. */
const COUNTS = `.ram  n
      lda  #0
      sta  n
loop: lda  n
      add  #1
      sta  n
      sta  GREEN
      jmp  loop
`;

const list = (page) => page.getByRole("region", { name: "Breakpoints" });
const field = (page, name, line) => list(page).getByRole("textbox", { name: `${name} of the breakpoint in line ${line}` });

async function pointAt(page, text) {
  await page.locator(".cm-line", { hasText: text }).click();
  await page.keyboard.press("F9");
  await list(page).waitFor();
  if (!(await list(page).locator("details").getAttribute("open").then((open) => open !== null))) await list(page).locator("summary").click();
}

test("a breakpoint has a condition and a hit count, which are kept by a reload and in a link", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await openFile(page, "counts.g1", COUNTS);
    await pointAt(page, "sta  GREEN");
    await field(page, "Condition", 7).fill("n == 6");
    await page.keyboard.press("Enter");
    await page.locator(".point.conditional").waitFor();
    await setSpeed(page, "max");
    await runButton(page).click();
    await atCycle(page, 2 + 5 * 5 + 3);
    await standing(page);
    await field(page, "Condition", 7).fill("");
    await field(page, "Hits", 7).fill("% 4");
    await page.keyboard.press("Enter");
    await page.locator(".point[title='Breakpoint: hits % 4']").waitFor();
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
    for (const round of [4, 8]) {
      await runButton(page).click();
      await atCycle(page, 2 + 5 * (round - 1) + 3);
      await standing(page);
      await list(page).getByText(`${round}×`).waitFor();
    }
    await field(page, "Condition", 7).fill("n ==");
    await page.keyboard.press("Enter");
    await list(page).locator(".wrong", { hasText: "expected" }).waitFor();
    await page.locator(".point.none").waitFor();
    await field(page, "Condition", 7).fill("n > 2");
    await page.keyboard.press("Enter");
    await page.locator(".point.conditional:not(.none)").waitFor();
    await page.locator("#link").click();
    await page.locator(".banner", { hasText: "The link is" }).waitFor();
    const link = page.url();
    const words = "Breakpoint: if n > 2, hits % 4";
    await page.locator(`.point[title="${words}"]`).waitFor();
    const other = await open(link);
    await other.locator(`.point[title="${words}"]`).waitFor();
    await page.evaluate(() => history.replaceState(null, "", location.pathname));
    await page.reload();
    await ready(page);
    await page.locator(`.point[title="${words}"]`).waitFor();
    await list(page).locator("summary").click();
    await list(page).getByRole("button", { name: "Remove the breakpoint from line 7" }).click();
    await list(page).waitFor({ state: "hidden" });
    assert.equal(await page.locator(".point").count(), 0);
  });
});

test("a breakpoint keeps its condition when lines are inserted before it", async () => {
  await withPage(async (page) => {
    await openFile(page, "counts.g1", COUNTS);
    await pointAt(page, "add  #1");
    await field(page, "Condition", 5).fill("n == 3");
    await page.keyboard.press("Enter");
    await page.locator(".point.conditional").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("; a line more\n");
    await field(page, "Condition", 6).waitFor();
    assert.equal(await field(page, "Condition", 6).inputValue(), "n == 3");
    await list(page).getByRole("button", { name: "line 6", exact: true }).click();
    assert.ok(await page.evaluate(() => document.activeElement.closest("#editor") !== null));
    await setSpeed(page, "max");
    await runButton(page).click();
    await atCycle(page, 2 + 3 * 5 + 1);
    await standing(page);
  });
});

/** The counts in the margin, by the text of their lines. */
const counts = (page) =>
  page.evaluate(() => {
    const lines = [...document.querySelectorAll("#editor .cm-line")].map((line) => [Math.round(line.getBoundingClientRect().top), line.textContent.trim()]);
    const spans = [...document.querySelectorAll("#editor .cm-counts .cm-gutterElement span")];
    return Object.fromEntries(
      spans.map((span) => {
        const top = span.closest(".cm-gutterElement").getBoundingClientRect().top;
        const [, text] = lines.reduce((best, line) => (Math.abs(line[0] - top) < Math.abs(best[0] - top) ? line : best));
        return [text.replace(/\s+/g, " "), `${span.textContent} ${span.title}`];
      }),
    );
  });

test("the margin shows how often each line was run, also after a step back and in a long run", async () => {
  await withPage(async (page) => {
    await openFile(page, "counts.g1", COUNTS);
    assert.deepEqual(await counts(page), {});
    await page.getByRole("button", { name: "Counts" }).click();
    for (let at = 1; at <= 8; at++) {
      await page.getByRole("button", { name: "Forward one instruction" }).click();
      await atCycle(page, at);
    }
    const shown = (text) => page.waitForFunction((text) => [...document.querySelectorAll(".cm-counts span")].some((span) => span.title.startsWith(text)), text);
    await shown("begun 2 times; 2 cycles, 25.0 %");
    const rounds = { "lda #0": "1 begun 1 time; 1 cycle, 12.5 % of the run", "loop: lda n": "2 begun 2 times; 2 cycles, 25.0 % of the run", "jmp loop": "1 begun 1 time; 1 cycle, 12.5 % of the run" };
    const told = await counts(page);
    for (const [line, text] of Object.entries(rounds)) assert.equal(told[line], `${text}; a click goes to its first run`, JSON.stringify(told));
    await page.getByRole("button", { name: "Back one instruction" }).click();
    await atCycle(page, 7);
    await shown("begun 1 time; 1 cycle, 14.3 %");
    assert.match((await counts(page))["loop: lda n"], /^1 begun 1 time;/);
    // While the machine runs, the counts may lag behind. Once it is paused, they are complete.
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > 1_000_000);
    await runButton(page).click();
    await standing(page);
    const times = Math.floor((((await cycle(page)) - 2 + 4) / 5)).toLocaleString("en-US");
    await shown(`begun ${times} times;`);
    await page.locator("#behind").waitFor({ state: "hidden" });
    assert.match((await counts(page))["loop: lda n"], /^\d+(\.\d)?[kM] begun /);
    await type(page, COUNTS.replace("#1", "#2"));
    await page.waitForFunction(() => document.querySelectorAll(".cm-counts span").length === 0);
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await page.reload();
    await page.locator("#counts[aria-pressed='true']").waitFor();
  });
});

const HEAT = `.macro wait rounds
      lda  #rounds
.again: add  #-1
      jz   .done
      jmp  .again
.done:
.endmacro
      wait 1
      wait 3
halt: jmp  halt
      lda  #7
`;

test("lines are as hot as they are often run, lines that were never run are hatched, and a click goes to calls in time", async () => {
  await withPage(async (page) => {
    await openFile(page, "heat.g1", HEAT);
    const never = page.locator(".cm-never");
    assert.equal(await never.count(), 0);
    await page.getByRole("button", { name: "Counts" }).click();
    await setSpeed(page, "max");
    await runButton(page).click();
    await atCycle(page, 13);
    await standing(page);
    await page.locator(".cm-counts span[title^='begun 1 time; 9 cycles']").waitFor();
    assert.deepEqual(await never.allInnerTexts(), ["      lda  #7"]);
    const heat = await page.locator(".cm-counts span").evaluateAll((spans) => Object.fromEntries(spans.map((span) => [span.title.split(";")[1]?.trim().split(" ")[0] ?? span.title, span.style.getPropertyValue("--heat")])));
    assert.equal(heat["9"], "100%");
    assert.equal(heat["never run"], "");
    assert.ok(parseInt(heat["3"]) > 40 && parseInt(heat["3"]) < 70, JSON.stringify(heat));
    const calls = page.getByRole("region", { name: "Calls" });
    await calls.locator("summary").click();
    const row = calls.getByRole("row", { name: "wait" });
    await row.waitFor();
    assert.deepEqual(await row.locator("td").allInnerTexts().then((cells) => cells.slice(0, 4)), ["2", "3", "6.0", "9"]);
    await row.getByRole("button", { name: "Longest call of wait" }).click();
    await atCycle(page, 3);
    await page.locator(".cm-running-outer, .cm-running", { hasText: "wait 3" }).waitFor();
    await calls.getByRole("button", { name: "Count again" }).click();
    await row.locator("td").first().getByText("1", { exact: true }).waitFor();
    await row.getByRole("button", { name: "First call of wait" }).click();
    await atCycle(page, 0);
  });
});

test("a breakpoint in an included file stops the run, is listed, and is kept by a reload", async () => {
  await withPage(async (page) => {
    const text = '      .include "lib/logic.g1"\n.ram  n\n      lda  #6\n      sta  n\n      and  n\nhalt: jmp  halt\n';
    await openFile(page, "uses.g1", text);
    for (let at = 1; at <= 2; at++) {
      await page.getByRole("button", { name: "Forward one instruction" }).click();
      await atCycle(page, at);
    }
    await page.locator("#included .cm-running", { hasText: "nor  #0" }).waitFor();
    const line = await page.locator("#included .cm-running").evaluate((line) => [...line.parentElement.children].indexOf(line));
    // The margin of the third line of the macro.
    const row = page.locator("#included .cm-line", { hasText: "the bits that are to go" });
    const { y, height } = await row.boundingBox();
    const margin = await page.locator("#included .cm-points").boundingBox();
    await page.mouse.click(margin.x + margin.width / 2, y + height / 2);
    await page.locator("#points summary", { hasText: "1 breakpoint" }).waitFor();
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
    await page.locator("#run").click();
    await atCycle(page, 4);
    await page.locator("#included .cm-running", { hasText: "the bits that are to go" }).waitFor();
    assert.ok(line > 0);
    await page.reload();
    await ready(page);
    await page.locator("#points summary").click();
    await page.locator("#points .go", { hasText: /^lib\/logic\.g1:\d+$/ }).waitFor();
    await page.locator("#run").click();
    await atCycle(page, 4);
    await page.getByRole("button", { name: /^Remove the breakpoint from lib\/logic/ }).click();
    await page.locator("#points").waitFor({ state: "hidden" });
    await page.waitForFunction(() => document.querySelectorAll("#included .point").length === 0);
  });
});
