// What must never take the page along: a machine that is lost, a worker that no longer answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FILE_ADDRESS, atCycle, ready, runButton, setSpeed, standing, type, withPage, withProfile } from "./browser.mjs";

const PROGRAM = "      lda  #'A'\n      sta  OUT\nhalt: jmp  halt ; mine\n";

test("a machine that fails is told, loses no source, and can be started again", async () => {
  await withPage(async (page) => {
    await type(page, PROGRAM);
    await page.locator("#size", { hasText: /^3 words/ }).waitFor();
    // As a panic does: an exception in the worker that nobody has caught.
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

test("a panic inside of the machine is told with its words", async () => {
  await withPage(async (page) => {
    await type(page, PROGRAM);
    await page.locator("#size", { hasText: /^3 words/ }).waitFor();
    // The memory of the WebAssembly is spoilt, as by an error of its own: the next question traps.
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
    await page.getByRole("button", { name: "Why?", exact: true }).first().click();
    await page.locator("#leds button").first().click();
    await page.clock.runFor(40_000);
    await page.getByRole("alert").getByText("no longer answers").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Start it again" }).click();
    await page.clock.resume();
    await page.getByRole("alert").getByText("begun anew").waitFor();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("a machine that could not even be begun is told, and begun when it can be", async () => {
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
    await page.goto(FILE_ADDRESS);
    await page.getByRole("alert").getByText("no worker today").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Start it again" }).click();
    await ready(page);
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
  });
});

test("whatever is done while the page begins, it begins", async () => {
  await withProfile({}, async ({ context }) => {
    const page = await context.newPage();
    await page.goto(FILE_ADDRESS, { waitUntil: "commit" });
    for (const tab of ["Chip", "RAM", "Waves", "Lessons"]) await page.getByRole("tab", { name: tab }).click();
    await page.keyboard.press("c");
    await page.getByRole("combobox", { name: "Lesson" }).selectOption("2");
    await ready(page);
    assert.equal(await page.locator(".banner", { hasText: "stopped working" }).count(), 0);
  });
});
