// Failures that the page must survive: a machine that panics, a worker that does not start or no longer answers.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { ADDRESS, FILE, atCycle, moved, ready, runButton, setSpeed, standing, type, withPage, withProfile } from "./browser.mjs";
import { withFolder } from "./native.mjs";

const PROGRAM = "      lda  #'A'\n      sta  OUT\nhalt: jmp  halt ; mine\n";

test("a machine that fails is reported, loses no source, and can be started again", async () => {
  await withPage(async (page) => {
    await type(page, PROGRAM);
    await page.locator("#size", { hasText: /^3 words/ }).waitFor();
    // Like a panic: an exception in the worker that nothing catches.
    await page.workers()[0].evaluate(() => setTimeout(() => { throw new Error("a chip has caught fire"); }));
    const alert = page.getByRole("alert");
    await alert.getByText(/a chip has caught fire.*Your program is safe/).waitFor();
    await page.locator(".cm-line", { hasText: "; mine" }).waitFor();
    await alert.getByRole("button", { name: "Start it again" }).click();
    await setSpeed(page, "max");
    await atCycle(page, 0);
    await runButton(page).click();
    await page.locator("#output", { hasText: /^A$/ }).waitFor();
    await standing(page);
  });
});

test("a panic of the machine is shown with its message and place, and loses no source", async () => {
  await withPage(async (page) => {
    await type(page, PROGRAM);
    await page.locator("#size", { hasText: /^3 words/ }).waitFor();
    await page.workers()[0].evaluate(() => setTimeout(() => self.onmessage({ data: { tell: "panic", text: "a chip has caught fire" } })));
    const alert = page.getByRole("alert");
    await alert.getByText(/panicked at emulator\/page\/src\/browser\.rs:\d+:\d+:\s*a chip has caught fire.*Your program is safe/).waitFor();
    await standing(page);
    await page.locator(".cm-line", { hasText: "; mine" }).waitFor();
    await alert.getByRole("button", { name: "Start it again" }).click();
    await page.getByRole("alert").getByText("begun anew").waitFor();
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#output", { hasText: /^A$/ }).waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "; mine" }).waitFor();
  });
});

/** Takes the assembler so long that it seems to hang: deeply nested loops around a lot of code. */
const ENDLESS_SOURCE = `${Array.from({ length: 500 }, (_, at) => `.for  i${at}, 0, 1\n`).join("")}      lda  #0 ; mine\n.for  j, 0, 3500\n      add  #1\n.endfor\n${".endfor\n".repeat(500)}`;

test("the page says so while a source takes long to assemble, and the work can be stopped", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    const busy = page.getByRole("status").filter({ hasText: "Still assembling" });
    const stop = async () => {
      await busy.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("alert").getByText("Stopped.").waitFor();
      await busy.waitFor({ state: "hidden" });
    };
    await type(page, ENDLESS_SOURCE);
    await busy.waitFor();
    await stop();
    // The page does not try again by itself, but does when the program is to run and when the page is opened next.
    await runButton(page).click();
    await busy.waitFor();
    await stop();
    await standing(page);
    await page.reload();
    await busy.waitFor();
    await stop();
    await page.locator(".board-svg").waitFor();
    await page.keyboard.press("Control+Home");
    await page.locator(".cm-line", { hasText: ".for  i0" }).waitFor();
    await type(page, PROGRAM);
    await page.locator("#size", { hasText: /^3 words/ }).waitFor();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("an exception in the worker is shown with its message", async () => {
  await withPage(async (page) => {
    await type(page, PROGRAM);
    await page.locator("#size", { hasText: /^3 words/ }).waitFor();
    // The next request throws an exception, as a trap of the WebAssembly does.
    await page.workers()[0].evaluate(() => {
      const { parse } = JSON;
      JSON.parse = (text) => {
        JSON.parse = parse;
        throw new WebAssembly.RuntimeError("unreachable");
      };
    });
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await page.getByRole("alert").getByText(/unreachable.*Your program is safe/).waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "; mine" }).waitFor();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("a worker that no longer answers is noticed", async () => {
  await withPage(async (page) => {
    await page.clock.install();
    void page.workers()[0].evaluate(() => { for (;;); }).catch(() => {});
    const told = page.getByRole("alert").getByText("no longer answers");
    // A request that arrives before the endless loop is still answered, so ask until one is not.
    for (let times = 0; times < 100 && !(await told.isVisible()); times++) {
      await page.locator("#leds button").first().click();
      await page.clock.runFor(40_000);
    }
    await told.waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Start it again" }).click();
    await page.clock.resume();
    await page.getByRole("alert").getByText("begun anew").waitFor();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("a machine that cannot be started is reported, and can be started later", async () => {
  await withProfile({}, async ({ context }) => {
    await context.addInitScript(() => {
      const { Worker } = self;
      self.Worker = class {
        constructor() {
          self.Worker = Worker;
          throw new Error("no worker today");
        }
      };
    });
    const page = await context.newPage();
    await page.goto(ADDRESS);
    await page.getByRole("alert").getByText("no worker today").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Start it again" }).click();
    await ready(page);
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("the page starts, whatever the user does meanwhile", async () => {
  await withProfile({}, async ({ context }) => {
    const page = await context.newPage();
    await page.goto(ADDRESS, { waitUntil: "commit" });
    for (const tab of ["Chip", "RAM", "Waves", "Lessons"]) await page.getByRole("tab", { name: tab }).click();
    await page.keyboard.press("c");
    await page.getByRole("combobox", { name: "Lesson" }).selectOption("2");
    await ready(page);
    assert.equal(await page.locator(".banner", { hasText: "stopped working" }).count(), 0);
  });
});

test("a machine that fails repeatedly is reported each time, and nothing runs", async () => {
  await withProfile({}, async ({ context }) => {
    // Until `isFailing` is cleared, every worker fails when the first program is loaded.
    await context.addInitScript(() => {
      const { Worker } = self;
      self.isFailing = true;
      self.Worker = class extends Worker {
        postMessage(message, ...others) {
          if (self.isFailing && message.request?.ask === "load") this.onmessage({ data: { tell: "failed", text: "a chip has caught fire" } });
          else super.postMessage(message, ...others);
        }
      };
    });
    const page = await context.newPage();
    await page.goto(ADDRESS);
    const alert = page.getByRole("alert");
    const told = alert.getByText("a chip has caught fire");
    const again = alert.getByRole("button", { name: "Start it again" });
    await told.waitFor();
    await page.evaluate(() => {
      window.shown = [];
      const banner = document.querySelector("#banner");
      new MutationObserver(() => window.shown.push(banner.textContent)).observe(banner, { childList: true, subtree: true });
    });
    await again.click();
    await page.waitForFunction(() => window.shown.some((text) => text.includes("caught fire")));
    await told.waitFor();
    await alert.getByRole("button", { name: "Close" }).click();
    await told.waitFor({ state: "detached" });
    await runButton(page).click(); // reports again that there is no machine
    await told.waitFor();
    await standing(page);
    assert.ok(!(await page.evaluate(() => window.shown)).some((text) => text.includes("begun anew")));
    await page.evaluate(() => (self.isFailing = false));
    await again.click();
    await ready(page); // the board is drawn, too
    await page.getByRole("tab", { name: "Lessons" }).click();
    await page.locator(".lesson-body h3").waitFor();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("a worker that answers slowly, because the machine is slow, is not reported as lost", async () => {
  await withPage(async (page) => {
    await page.clock.install();
    await setSpeed(page, 0); // a press lasts for one phase, which takes a second
    await moved(page, () => runButton(page).click());
    await page.locator("#keys button").first().evaluate((key) => {
      for (let taps = 0; taps < 16; taps++) key.click();
    });
    for (let phases = 0; phases < 5; phases++) await moved(page, () => page.clock.runFor(10_000));
    assert.equal(await page.locator(".banner", { hasText: "stopped working" }).count(), 0);
    await runButton(page).click();
    await standing(page);
  });
});

test("a file that is damaged or cut off says so, whichever part it is", async () => {
  await withFolder(async (folder) => {
    await withProfile({}, async ({ context }) => {
      const text = readFileSync(FILE, "utf8");
      const inside = (id) => text.indexOf(`id="${id}">`) + 1000;
      const cases = [
        [text.slice(0, inside("page")) + "~~~~~" + text.slice(inside("page") + 5), /This file is damaged, perhaps because it was cut off/],
        [text.slice(0, inside("machine")) + "~~~~~" + text.slice(inside("machine") + 5), /the file is damaged/],
      ];
      for (const [content, message] of cases) {
        const path = join(folder, "damaged.html");
        writeFileSync(path, content);
        const page = await context.newPage();
        await page.goto(pathToFileURL(path).href);
        await page.locator("#banner", { hasText: message }).waitFor();
        await page.close();
      }
    });
  });
});
