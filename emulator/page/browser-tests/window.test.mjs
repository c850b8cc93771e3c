// Windows of all sizes: what is seen at once, zoom, and forced colours.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, openFile, runButton, showView, standing, type, withPage } from "./browser.mjs";

/** How much of an element is within the window, in pixels, and its place. */
const seen = (page, selector) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom, left, right, height } = element.getBoundingClientRect();
    return { top, bottom, left, right, height, isWhole: top >= 0 && left >= 0 && bottom <= innerHeight + 0.5 && right <= innerWidth + 0.5 };
  });

for (const [width, height] of [[320, 256], [320, 180], [640, 360]]) {
  test(`in a window of ${width} x ${height}, which is zoom, everything can be scrolled to, in one direction`, async () => {
    await withPage(async (page) => {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing to scroll sideways");
      await runButton(page).scrollIntoViewIfNeeded();
      await runButton(page).click();
      await page.locator("#run", { hasText: "Pause" }).waitFor();
      await runButton(page).click();
      await standing(page);
      for (const [view, inside] of [["LEDs", "#leds"], ["Source", "#editor"], ["Inside", ".board-svg"]]) {
        await showView(page, view);
        await page.locator(inside).scrollIntoViewIfNeeded();
        const { height: tall } = await page.locator(inside).boundingBox();
        assert.ok(tall >= 200, `${inside} is ${tall} pixels high`);
      }
      assert.ok((await page.locator("main").boundingBox()).height > 200);
    }, { viewport: { width, height } });
  });
}

test("at 1280 x 720 the board fits its pane, and its values are legible", async () => {
  await withPage(async (page) => {
    const pane = await page.locator("#tab-panels").boundingBox();
    const board = await page.locator(".board-svg").boundingBox();
    assert.ok(board.y >= pane.y && board.y + board.height <= pane.y + pane.height + 0.5 && board.width <= pane.width, JSON.stringify({ pane, board }));
    for (const block of await page.locator(".block").all()) {
      const { y, height } = await block.boundingBox();
      assert.ok(y >= pane.y && y + height <= pane.y + pane.height + 0.5);
    }
    const sizes = await page.locator(".block .value").evaluateAll((values) => values.map((value) => parseFloat(getComputedStyle(value).fontSize) * value.getScreenCTM().a));
    assert.ok(Math.min(...sizes) >= 10, `${Math.min(...sizes)} pixels`);
    // No two blocks lie upon each other.
    const boxes = await page.locator(".block rect").evaluateAll((all) => all.map((rect) => rect.getBoundingClientRect().toJSON()));
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) assert.ok(one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top);
    }
  }, { viewport: { width: 1280, height: 720 } });
});

for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 760 }, { width: 820, height: 1180 }]) {
  test(`at ${viewport.width} x ${viewport.height} LEDs and two lines of output are seen, and the title stands in one line`, async () => {
    await withPage(async (page) => {
      await openFile(page, "lines.g1", "      lda  #'a'\n      sta  OUT\n      lda  #10\n      sta  OUT\n      lda  #'b'\n      sta  OUT\nhalt: jmp  halt\n");
      await page.getByRole("slider", { name: "Speed" }).press("End");
      await runButton(page).click();
      await page.locator("#run", { hasText: "Run again" }).waitFor();
      assert.ok((await seen(page, "#leds")).isWhole);
      const { height, isWhole } = await seen(page, "#output");
      assert.ok(isWhole && height >= 38, `${height} pixels`);
      assert.ok((await seen(page, "h1")).height < 34);
    }, { viewport });
  });
}

test("an error that appears leaves the typed line in view", async () => {
  await withPage(async (page) => {
    await type(page, `${"      lda  #1\n".repeat(40)}      lda  #300`);
    await page.locator("#problems .code").waitFor();
    await page.waitForFunction(() => {
      const cursor = [...document.querySelectorAll(".cm-line")].find((line) => line.textContent.includes("#300"))?.getBoundingClientRect();
      const editor = document.querySelector("#editor").getBoundingClientRect();
      return cursor && cursor.top >= editor.top && cursor.bottom <= editor.bottom;
    });
  }, { viewport: { width: 1280, height: 720 } });
});

test("in forced colours the running line, levels of pins, the cell in use and pressed buttons are marked", async () => {
  await withPage(async (page) => {
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
    const style = (selector, property) => page.locator(selector).first().evaluate((element, property) => getComputedStyle(element)[property], property);
    assert.notEqual(await style("#editor .cm-running", "outlineStyle"), "none");
    await page.locator("#shapes").click();
    assert.notEqual(await style("#shapes", "backgroundColor"), await style("#ask", "backgroundColor"));
    await page.getByRole("tab", { name: "Chip" }).click();
    await page.getByRole("combobox", { name: "Chip" }).selectOption("PROGL");
    await page.locator(".pin.high b").first().waitFor();
    assert.notEqual(await style(".cells .now button", "backgroundColor"), await style(".cells td:not(.now) button", "backgroundColor"));
    assert.notEqual(await style(".pin.high b", "backgroundColor"), await style(".pin:not(.high) b", "backgroundColor"));
    assert.notEqual(await style("[role=tab][aria-selected=true]", "backgroundColor"), await style("[role=tab][aria-selected=false]", "backgroundColor"));
  }, { forcedColors: "active", viewport: { width: 1440, height: 900 } });
});

test("on a phone the keys of the machine are large enough", async () => {
  await withPage(async (page) => {
    await page.locator("#program-choice").selectOption("snake.g1");
    await page.locator("#keys button").first().waitFor();
    for (const key of await page.locator("#keys button").all()) {
      const { width, height } = await key.boundingBox();
      assert.ok(width >= 40 && height >= 40, `${width} x ${height}`);
    }
  }, { viewport: { width: 360, height: 640 }, hasTouch: true });
});
