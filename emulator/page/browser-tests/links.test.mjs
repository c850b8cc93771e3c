// A link contains the program and the moment in its fragment, so that no server ever sees them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { ADDRESS, atCycle, cycle, led, openFile, phase, runButton, setSpeed, standing, withPage, withProfile } from "./browser.mjs";

const PROGRAM = "; Ünïcode in a comment, to be carried.\n      lda  #0x5A\n      sta  GREEN+3\nhalt: jmp  halt\n";

/** Presses the button for a link, and returns the link. */
async function linkOf(page) {
  await page.locator("#link").click();
  await page.locator(".banner", { hasText: "The link is" }).waitFor();
  return page.evaluate(() => location.href);
}

test("a link opens the same program at the same moment in a second tab", async () => {
  await withProfile({}, async ({ open, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const first = await open();
    await openFile(first, "mine.g1", PROGRAM);
    await first.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(first, 1);
    await first.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(first, 2);
    await first.getByRole("button", { name: "Forward one phase" }).click();
    await atCycle(first, 2, 1);
    const link = await linkOf(first);
    const second = await open(link);
    await second.locator(".cm-line", { hasText: "Ünïcode" }).waitFor();
    await atCycle(second, 2, 1);
    assert.equal(await second.locator("#name").innerText(), "mine.g1");
    assert.equal(await second.locator("#registers").innerText(), await first.locator("#registers").innerText());
  });
});

test("a link to a shipped program contains only its name, so it is short", async () => {
  await withPage(async (page) => {
    await page.getByRole("button", { name: "Forward one solution" }).click();
    await page.locator("#output", { hasText: "15863724" }).waitFor();
    await standing(page);
    const [at, inPhase, link] = [await cycle(page), await phase(page), await linkOf(page)];
    assert.ok(link.length - ADDRESS.length < 200, link);
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
    await page.goto("about:blank");
    await page.goto(link);
    await atCycle(page, at, inPhase);
  });
});

test("a link restores presses of pads", async () => {
  await withProfile({}, async ({ open }) => {
    const first = await open();
    await first.locator("#program-choice").selectOption("board.g1");
    await first.locator("#name", { hasText: "board.g1" }).waitFor();
    await setSpeed(first, 13);
    await runButton(first).click();
    await first.locator("#output", { hasText: "8 rows" }).waitFor();
    await led(first, 3, 2).click();
    await first.locator("#leds").getByRole("button", { name: "row 3, column 5: red" }).waitFor();
    await runButton(first).click();
    await standing(first);
    const at = await cycle(first);
    const second = await open(await linkOf(first));
    await atCycle(second, at, await phase(first));
    const lights = (page) => page.locator("#leds button").evaluateAll((leds) => leds.map((led) => led.getAttribute("aria-label")));
    assert.deepEqual(await lights(second), await lights(first));
  });
});

test("text typed after opening a link is kept after a reload, and so is the earlier text", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await openFile(page, "mine.g1", PROGRAM);
    const link = await linkOf(page);
    const typed = async (text) => {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type(text);
    };
    await typed("; behind my own\n");
    assert.equal(new URL(page.url()).hash, "");
    await page.reload();
    await page.locator(".cm-line", { hasText: "; behind my own" }).waitFor();
    await page.goto(link);
    await page.locator(".cm-line", { hasText: "; behind my own" }).waitFor({ state: "detached" });
    await typed("; behind the link\n");
    await page.reload();
    await page.locator(".cm-line", { hasText: "; behind the link" }).waitFor();
    await page.locator("#program-choice").selectOption("own:mine (earlier).g1");
    await page.locator(".cm-line", { hasText: "; behind my own" }).waitFor();
    await page.locator("#name", { hasText: "mine (earlier).g1" }).waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "; behind my own" }).waitFor();
  });
});

test("a link with wrong content is refused, and so is one that would fill the memory", async () => {
  const content = (value) => `${ADDRESS}#g1=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;
  const wrong = [
    { constants: null },
    { constants: { N: "8" } },
    { files: ["x"] },
    { files: { x: 1 } },
    { options: { cells: "x" } },
    { options: { engine: "warp" } },
    { points: [1.5] },
    { name: 7 },
    { tab: {} },
  ].map((fields) => [content({ name: "queens.g1", ...fields }), "does not lead to a program"]);
  wrong.push([content({ name: "x.g1", text: " ".repeat(2 << 20) }), "holds more than a program"]);
  await withProfile({}, async ({ open }) => {
    const page = await open();
    for (const [link, words] of wrong) {
      await page.goto(link);
      await page.getByRole("alert").getByText(words).waitFor();
      await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
      assert.equal(await page.locator("#name").innerText(), "queens.g1", link);
    }
    await page.goto(content({ name: "life.g1", constants: {}, files: {}, options: {}, points: [], tab: "nothing" }));
    await page.locator("#name", { hasText: "life.g1" }).waitFor();
  });
});

test("a damaged link says so, and the page works", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open(`${ADDRESS}#g1=abcdefgh`);
    await page.getByRole("alert").getByText("this link is damaged").waitFor();
    assert.equal(await page.locator("#name").innerText(), "queens.g1");
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});
