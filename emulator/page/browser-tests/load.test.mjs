// An endless program runs while the page is used: its memory does not grow, nothing is lost, and it can be paused.
//
// LOAD_SECONDS sets the duration, ten seconds by default. See docs/internals/testing.md.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { atCycle, cycle, led, openFile, phase, runButton, setSpeed, standing, withPage } from "./browser.mjs";

const SECONDS = Number(process.env.LOAD_SECONDS ?? 10);
/** A look takes the page some 100 ms or more, in which it does nothing else. */
const LOOKS = Math.min(400, SECONDS);
/**
 * Megabytes. The machine keeps 64 megabytes of its past: below FILLED, growth says nothing; MOST is never allowed. From the
 * first half to the last quarter, memory may grow by a twentieth and MORE.
 */
const FILLED = 320;
const MOST = 400;
const MORE = 4;

/** Four instructions per round, which sends a byte. */
const SENDS = `
      lda  #0
loop: add  #1
      sta  GREEN
      sta  OUT
      jmp  loop
`;

/** How the output shows a byte. */
const shown = (byte) => (byte === 10 || (byte >= 32 && byte <= 126) ? String.fromCharCode(byte) : `‹${byte}›`);

/**
 * The megabytes of the process that runs the page: the largest of the renderer processes. Chromium keeps garbage for as
 * long as there is memory to spare, so it is asked to give back what nothing refers to.
 */
async function memory(browser, renderer) {
  await renderer.send("HeapProfiler.collectGarbage");
  await renderer.send("Memory.simulatePressureNotification", { level: "critical" });
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const processes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => readFileSync(`/proc/${id}/status`, "utf8"));
  return Math.max(...processes.map((status) => Number(/^VmRSS:\s+(\d+) kB/m.exec(status)[1]))) / 1024;
}

test("an endless program runs for any time", async () => {
  await withPage(async (page, { context }) => {
    const browser = await context.browser().newBrowserCDPSession();
    const renderer = await context.newCDPSession(page);
    await openFile(page, "sends.g1", SENDS);
    await setSpeed(page, "max");
    await runButton(page).click();
    const tabs = page.getByRole("tab").filter({ hasNotText: "Bench" }); // the bench hides the LEDs
    const end = performance.now() + 1000 * SECONDS;
    const looks = [];
    const looking = (async () => {
      while (performance.now() < end) {
        looks.push(await memory(browser, renderer));
        await setTimeout((1000 * SECONDS) / LOOKS);
      }
    })();
    let [rounds, before] = [0, 0];
    while (performance.now() < end) {
      await tabs.nth(rounds % (await tabs.count())).click();
      await led(page, rounds % 8, 3).click();
      await page.waitForFunction((before) => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > before, before);
      before = await cycle(page);
      rounds++;
    }
    await looking;
    const asked = performance.now();
    await runButton(page).click();
    await standing(page);
    const heard = Math.round(performance.now() - asked);

    // After the first instruction each round takes four cycles, so the cycle determines A and what was sent.
    const stopped = await cycle(page);
    assert.equal(await phase(page), 0);
    assert.ok((await page.locator("#registers").innerText()).includes(` ${Math.floor((stopped + 2) / 4) % 256}\n`));
    assert.ok((await page.locator("#output").innerText()).trimEnd().endsWith(shown(Math.floor(stopped / 4) % 256).trimEnd()));
    await page.getByRole("button", { name: "Back one instruction" }).click();
    await atCycle(page, stopped - 1);

    const quarters = [0, 1, 2, 3].map((number) => Math.max(...looks.slice((looks.length * number) / 4, (looks.length * number) / 4 + Math.max(1, looks.length / 4))));
    const figures = [...quarters, Math.max(...looks)].map((figure) => figure.toFixed(1));
    process.stderr.write(`    | page | ${SECONDS} | ${figures.join(" | ")} | ${heard} | ${stopped.toLocaleString("en")} cycles, ${rounds} clicks |\n`);
    const allowed = Math.max(Math.max(quarters[0], quarters[1]) * 1.05 + MORE, FILLED);
    assert.ok(quarters[3] <= allowed, `memory grows: ${quarters}`);
    assert.ok(Math.max(...looks) <= MOST, `${Math.max(...looks)} megabytes`);
    assert.ok(heard < 10_000, `a pause took ${heard} ms`);
  });
});

test("a page that has no time to draw is sent no more than it can draw", async () => {
  await withPage(async (page) => {
    await openFile(page, "sends.g1", SENDS);
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > 10_000);
    const [worker] = page.workers();
    await worker.evaluate(() => {
      const post = self.postMessage.bind(self);
      self.told = [];
      self.postMessage = (message, options) => {
        if (message.tell === "moment") self.told.push(Date.now());
        post(message, options);
      };
    });
    const [start, end] = await page.evaluate(() => {
      const start = Date.now();
      while (Date.now() < start + 3000);
      return [start, Date.now()];
    });
    const told = () => worker.evaluate(() => self.told);
    const meanwhile = (await told()).filter((time) => time > start && time < end).length;
    assert.ok(meanwhile <= 1, `${meanwhile} moments while it could draw none`);
    const isToldAgain = async () => (await told()).some((time) => time > end);
    for (let tries = 0; tries < 600 && !(await isToldAgain()); tries++) await setTimeout(100);
    assert.ok(await isToldAgain(), "no moments when it could draw again");
  });
});
