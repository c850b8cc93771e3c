// LEDs, pads and keys: a click on an LED presses its pad, or asks why it is lit.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, cycle, led, runButton, setSpeed, standing, withPage } from "./browser.mjs";

/** Runs an action while board.g1 runs, fast enough to react at once. */
async function withBoard(action, options) {
  await withPage(async (page) => {
    await page.locator("#program-choice").selectOption("board.g1");
    await page.locator("#name", { hasText: "board.g1" }).waitFor();
    await setSpeed(page, 13); // 5,000 instructions per second, at which a key repeats after half a second
    await runButton(page).click();
    await page.locator("#output", { hasText: "8 rows" }).waitFor();
    await action(page);
  }, options);
}

const lit = (page, row, column, colour) => page.locator("#leds").getByRole("button", { name: `row ${row}, column ${column}: ${colour}` }).waitFor();

test("a click on an LED of board.g1 places a queen, and another removes it", async () => {
  await withBoard(async (page) => {
    await led(page, 3, 2).click();
    await lit(page, 3, 5, "red"); // a square that the queen attacks
    await lit(page, 3, 2, "green");
    await lit(page, 5, 4, "red");
    await lit(page, 5, 5, "dark");
    await led(page, 3, 2).click();
    await lit(page, 3, 2, "dark");
    await lit(page, 3, 5, "dark");
  });
});

test("a tap places a queen, too", async () => {
  await withBoard(
    async (page) => {
      await led(page, 6, 6).tap();
      await lit(page, 6, 6, "green");
    },
    { hasTouch: true },
  );
});

test("LEDs by the keyboard: one tab stop, arrow keys, Space", async () => {
  await withBoard(async (page) => {
    await led(page, 0, 0).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp"]) await page.keyboard.press(key);
    assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^row 1, column 3:/);
    await page.keyboard.press("Space", { delay: 100 });
    await lit(page, 1, 3, "green");
    assert.equal(await page.locator("#leds button[tabindex='0']").count(), 1);
  });
});

test("the keys of the machine, on the page and on the keyboard", async () => {
  await withBoard(async (page) => {
    // The key is held until its effect is seen, because a slow computer needs longer.
    const hold = async (key, seen) => {
      await page.keyboard.down(key);
      await seen;
      await page.keyboard.up(key);
    };
    const sizes = (pattern) => page.locator("#output", { hasText: pattern }).waitFor();
    await page.getByRole("button", { name: "Key left" }).hover();
    await page.mouse.down();
    await sizes(/8 rows\s+7 rows/);
    await page.mouse.up();
    await page.locator("h1").click();
    await hold("ArrowLeft", sizes(/7 rows\s+6 rows/));
    await hold("ArrowRight", sizes(/6 rows\s+7 rows/));
    await hold("a", lit(page, 0, 0, "green")); // shows the cursor
    // A key that is held repeats, so a slow computer may have counted on to 8; Start repeats the size.
    await hold("Enter", sizes(/(\d) rows\s+\1 rows\s*$/));
  });
});

test("while the machine is paused, a click holds a pad until the next click", async () => {
  await withBoard(async (page) => {
    await runButton(page).click();
    await standing(page);
    await led(page, 3, 2).click();
    assert.equal(await led(page, 3, 2).getAttribute("aria-pressed"), "true");
    const at = await cycle(page);
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, at + 1);
    await runButton(page).click();
    await lit(page, 3, 2, "green");
    await led(page, 3, 2).click();
    assert.equal(await led(page, 3, 2).getAttribute("aria-pressed"), "false");
  });
});

test("why an LED is lit: the chain of causes, each with its cycle, its chip and its line", async () => {
  await withBoard(async (page) => {
    await led(page, 3, 2).click();
    await lit(page, 3, 5, "red");
    await page.locator("#ask").click();
    await led(page, 3, 5).click();
    const answer = page.locator(".why-answer");
    await answer.getByRole("heading", { name: /^red 3,5 is lit at cycle/ }).waitFor();
    await standing(page);
    const now = await cycle(page);
    await answer.getByRole("button", { name: /^RED3 at/ }).first().click();
    await page.locator(".chip-body h3", { hasText: "RED3" }).waitFor();
    await page.getByRole("tab", { name: "Why?" }).click();
    await answer.getByRole("button", { name: /^cycle / }).first().click();
    await page.waitForFunction((now) => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) < now, now);
    await answer.getByRole("button", { name: /^line / }).first().click();
    assert.ok(await page.evaluate(() => document.activeElement.closest("#editor") !== null));
    assert.equal(await page.locator("#ask").getAttribute("aria-pressed"), "false");
  });
});

test("shapes change the picture, and the choice is remembered", async () => {
  await withPage(async (page) => {
    const picture = () => page.locator("#leds canvas").evaluate((canvas) => canvas.toDataURL());
    await setSpeed(page, "max");
    await runButton(page).click();
    await standing(page);
    const before = await picture();
    await page.getByRole("button", { name: "Shapes" }).click();
    await page.waitForFunction((before) => document.querySelector("#leds canvas").toDataURL() !== before, before);
    await page.reload();
    await page.locator('#shapes[aria-pressed="true"]').waitFor();
  });
});
