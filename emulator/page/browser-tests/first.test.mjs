// The first visit: what moves by itself, the tour, and a chip that is broken on purpose.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ADDRESS, FILE_ADDRESS, IS_FIREFOX, cycle, openFile, ready, runButton, standing, withPage, withProfile } from "./browser.mjs";

const FIRST = { isFirst: true };
const tour = (page) => page.getByRole("dialog", { name: "Tour" });
const next = (page) => tour(page).getByRole("button", { name: "Next" }).click();

test("on the first visit the search moves at once, with its caption, and ends with a solution", async () => {
  await withPage(async (page) => {
    await page.locator("#run", { hasText: "Pause" }).waitFor();
    assert.match(await page.locator("#tagline").innerText(), /^A computer made of memory chips only; its program places eight queens\.$/);
    assert.match(await page.locator("#caption").innerText(), /red: the queens on the board[^]*green/);
    // The program explains itself first.
    assert.match(await page.locator(".cm-line").first().innerText(), /^; Eight queens/);
    await page.getByRole("slider", { name: "Speed" }).press("End");
    await standing(page);
    assert.equal((await page.locator("#output").innerText()).trim(), "15863724");
    const queens = [1, 5, 8, 6, 3, 7, 2, 4];
    for (const [row, column] of queens.entries()) {
      assert.match(await page.locator("#leds .pads button").nth(8 * row + column - 1).getAttribute("aria-label"), /red|amber/, `row ${row}`);
    }
  }, FIRST);
});

test("without a script there are a solution, what its colours mean, and the beginning of the program", async () => {
  await withProfile({ ...FIRST, javaScriptEnabled: false }, async ({ context }) => {
    const page = await context.newPage();
    await page.goto(FILE_ADDRESS);
    assert.equal(await page.locator("#leds circle").count(), 64);
    const columns = await page.locator("#leds circle").evaluateAll((discs) => discs.flatMap((disc, index) => (disc.matches(".red, .amber") ? [(index % 8) + 1] : [])));
    assert.deepEqual(columns, [1, 5, 8, 6, 3, 7, 2, 4]);
    assert.match(await page.locator("#caption").innerText(), /red: the queens on the board[^]*green/);
    assert.match(await page.locator("#editor").innerText(), /^; Eight queens, by forward checking/);
    assert.match(await page.locator("#tagline").innerText(), /places eight queens/);
  });
});

test("nothing moves its place when the machine has come, and what stood in for it is gone", async () => {
  await withProfile({}, async ({ context }) => {
    const page = await context.newPage();
    await page.addInitScript(() => addEventListener("DOMContentLoaded", () => (window.before = box())) || (window.box = () => JSON.stringify(document.querySelector("#leds").getBoundingClientRect())));
    await page.goto(FILE_ADDRESS);
    await ready(page);
    await page.locator(".first").first().waitFor({ state: "detached" });
    assert.equal(await page.locator(".first").count(), 0);
    assert.equal(await page.evaluate(() => box()), await page.evaluate(() => before));
  });
});

test("with reduced motion the first visit stands still", { skip: IS_FIREFOX && "Firefox cannot be told to reduce motion" }, async () => {
  await withPage(async (page) => {
    await tour(page).waitFor();
    await standing(page);
    await page.locator("#output", { hasText: "15863724" }).waitFor();
    assert.equal(await page.locator("#leds .first").count(), 0);
    assert.match(await page.locator("#leds .pads button").nth(12).getAttribute("aria-label"), /red/);
  }, { ...FIRST, reducedMotion: "reduce" });
});

test("on a phone the tour is a strip that covers nothing", async () => {
  await withPage(async (page) => {
    await tour(page).waitFor();
    for (const step of [1, 2, 3, 4, 5]) {
      const card = await tour(page).boundingBox();
      for (const other of ["#run", "#speed", "#leds", "#bar"]) {
        const box = await page.locator(other).boundingBox();
        assert.ok(!box || card.y + card.height <= box.y || box.y + box.height <= card.y, `step ${step}: ${other}`);
      }
      if (step < 5) await next(page);
    }
  }, { ...FIRST, viewport: { width: 390, height: 844 } });
});

test("on a phone an address shows the lesson or the level that it names, and no tour", async () => {
  await withProfile({ ...FIRST, viewport: { width: 390, height: 844 } }, async ({ open }) => {
    const lesson = await open(`${ADDRESS}?lesson=3`);
    await lesson.locator(".lesson-body h3", { hasText: "3." }).waitFor();
    assert.equal(await tour(lesson).isVisible(), false);
    const level = await open(`${ADDRESS}?level=4`);
    await level.getByRole("tab", { name: "Bench", selected: true }).waitFor();
    assert.equal(await tour(level).isVisible(), false);
  });
});

test("the tour has five steps, can be left, and does not come back by itself", async () => {
  await withProfile(FIRST, async ({ open }) => {
    const page = await open();
    await tour(page).waitFor();
    // It does not take the focus.
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
    for (let step = 1; step < 5; step++) {
      await tour(page).getByText(`${step} of 5`).waitFor();
      assert.equal(await page.locator(".toured").count(), 1, `step ${step}`);
      await next(page);
    }
    await tour(page).getByRole("button", { name: "Back" }).click();
    await page.keyboard.press("Escape");
    await tour(page).waitFor({ state: "hidden" });
    assert.equal(await page.locator(".toured").count(), 0);
    await page.reload();
    await page.locator("#leds canvas").waitFor();
    await page.locator(".board-svg").waitFor();
    assert.equal(await tour(page).isVisible(), false);
    await page.getByRole("button", { name: "Tour" }).click();
    await tour(page).getByText("1 of 5").waitFor();
  });
});

test("the tour breaks a cell, the search goes wrong, and why leads to the cell, which is mended", async () => {
  await withPage(async (page) => {
    await openFile(page, "other.g1", "halt: jmp halt\n");
    await page.getByRole("button", { name: "Tour" }).click();
    for (let step = 1; step < 5; step++) await next(page);
    // On a busy computer the search may be over before anybody looks.
    const searched = async (solution) => {
      const output = page.locator("#output", { hasText: solution });
      await page.locator("#run", { hasText: "Pause" }).or(output).first().waitFor();
      await page.getByRole("slider", { name: "Speed" }).press("End");
      await output.waitFor();
    };
    await tour(page).getByRole("button", { name: "Make the cell wrong" }).click();
    await page.locator("#changes", { hasText: "ALUL at $3 gives $2E" }).waitFor();
    await page.locator("#name", { hasText: "queens.g1" }).waitFor();
    await searched("13582417");
    await standing(page);
    await tour(page).getByRole("button", { name: "Why is that square" }).click();
    await page.locator(".why-answer").getByRole("button", { name: "ALUL at $0003" }).first().click();
    await page.locator(".cell h4", { hasText: "$0003 gives $2E" }).waitFor();
    await tour(page).getByRole("button", { name: "Mend it" }).click();
    await page.locator("#changes").waitFor({ state: "hidden" });
    await searched("15863724");
  });
});

test("at the end of a run, Run begins it again", async () => {
  await withPage(async (page) => {
    await openFile(page, "short.g1", "      lda  #'7'\n      sta  OUT\nhalt: jmp  halt\n");
    for (let round = 0; round < 2; round++) {
      await runButton(page).click();
      await page.locator("#run", { hasText: "Run again" }).waitFor();
      assert.equal(await page.locator("#output").innerText(), "7");
      assert.ok((await cycle(page)) > 0);
    }
  });
});
