// What an address asks for: a program, a lesson, a pane, a page for embedding; and links that open moving.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ADDRESS, openFile, ready, runButton, setSpeed, standing, withProfile } from "./browser.mjs";

test("an address opens a shipped program, a lesson or a pane", async () => {
  await withProfile({}, async ({ open }) => {
    const life = await open(`${ADDRESS}?program=life.g1&run#ram`);
    await life.locator("#name", { hasText: "life.g1" }).waitFor();
    await life.locator("#run", { hasText: "Pause" }).waitFor();
    await life.getByRole("tab", { name: "RAM", selected: true }).waitFor();
    const lesson = await open(`${ADDRESS}?lesson=3`);
    await lesson.locator(".lesson-body h3", { hasText: "3." }).waitFor();
    const none = await open(`${ADDRESS}?program=none.g1`);
    await none.getByRole("alert").getByText("none.g1, which this page does not have").waitFor();
  });
});

test("for embedding there are only LEDs, Run and the speed", async () => {
  await withProfile({ isFirst: true, viewport: { width: 420, height: 560 } }, async ({ open }) => {
    const page = await open(`${ADDRESS}?embed&program=ant.g1`);
    await standing(page);
    for (const gone of [".top", "#source", "#inside", "#tour-card", "#timeline"]) assert.equal(await page.locator(gone).isVisible(), false, gone);
    for (const there of ["#leds", "#run", "#speed"]) {
      const { y, height } = await page.locator(there).boundingBox();
      assert.ok(y >= 0 && y + height <= 560, there);
    }
    await runButton(page).click();
    await page.locator("#run", { hasText: "Pause" }).waitFor();
  });
});

test("a link that is made while the machine runs opens moving, but not where reduced motion is asked for", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await openFile(page, "endless.g1", "again: lda  #1\n      jmp  again\n");
    await setSpeed(page, 8);
    await runButton(page).click();
    await page.waitForFunction(() => Number(document.querySelector(".track").getAttribute("aria-valuenow")) > 20);
    await page.locator("#link").click();
    await page.locator("#banner").waitFor();
    const address = page.url();
    await withProfile({}, async (visitor) => {
      const other = await visitor.open(address);
      await other.locator("#run", { hasText: "Pause" }).waitFor();
      await other.waitForFunction(() => Number(document.querySelector(".track").getAttribute("aria-valuenow")) >= 20);
    });
    await withProfile({ reducedMotion: "reduce" }, async (visitor) => {
      const other = await visitor.open(address);
      await other.waitForFunction(() => Number(document.querySelector(".track").getAttribute("aria-valuenow")) >= 20);
      await standing(other);
    });
  });
});

test("an animation of a stretch has the cycles that were asked for", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#run", { hasText: "Run again" }).waitFor();
    await page.locator("#save").click();
    await page.getByRole("menuitem", { name: /^Stretch/ }).click();
    await page.getByRole("textbox", { name: "From cycle" }).fill("9,000");
    await page.getByRole("textbox", { name: "To cycle" }).fill("8000");
    await page.keyboard.press("Enter");
    await page.getByText("Two cycles, the later one below.").waitFor();
    await page.getByRole("textbox", { name: "To cycle" }).fill("17000");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "OK" }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const gif = Buffer.concat(chunks);
    assert.equal(gif.subarray(0, 6).toString(), "GIF89a");
    // 8,000 cycles a second and ten pictures a second: ten pictures, and the last one again, held.
    const pictures = gif.toString("latin1").split("\x21\xf9\x04").length - 1;
    assert.ok(pictures >= 5 && pictures <= 12, `${pictures} pictures`);
    await ready(page);
  });
});
