// What the browser keeps: a faulty program, data of another version, two tabs, a page that was saved, a browser that is too old.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { ADDRESS, atCycle, openFile, ready, runButton, saved, standing, type, withPage, withProfile } from "./browser.mjs";
import { withFolder } from "./native.mjs";

const WRONG = "      lda  #300\nhalt: jmp  halt\n";

test("a faulty program leaves a machine that can be seen, after a reload and in a link, and a link can be made", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await openFile(page, "wrong.g1", WRONG);
    await page.reload();
    await page.locator("#problems .code").waitFor();
    await ready(page);
    assert.match(await page.locator("#registers").innerText(), /\$\w\w/);
    await page.locator("#link").click();
    await page.locator("#banner", { hasText: "The link is" }).waitFor();
    const other = await open(page.url());
    await other.locator("#problems .code").waitFor();
    await runButton(other).click();
    await other.getByRole("alert").getByText("The program has an error").waitFor();
    // Once the mistake is mended, the machine has the program.
    await type(other, "      lda  #7\nhalt: jmp  halt\n");
    await other.locator("#edited").waitFor({ state: "hidden" });
    await other.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(other, 1);
    assert.match(await other.locator("#registers").innerText(), /\$07/);
  });
});

test("stored data of another shape is left aside", async () => {
  await withProfile({}, async ({ open, context }) => {
    await context.addInitScript(() => {
      if (sessionStorage.getItem("spoiled")) return;
      sessionStorage.setItem("spoiled", "yes");
      localStorage.setItem("gray1.program", JSON.stringify({ name: "a.g1", text: "halt: jmp halt", points: 5 }));
      localStorage.setItem("gray1.own", JSON.stringify({ "a.g1": { name: 3 }, "b.g1": { name: "b.g1", text: "halt: jmp halt", points: [] } }));
      localStorage.setItem("gray1.manner", JSON.stringify({ speed: "fast", tab: 7, toured: true }));
      for (const key of ["attempts", "aside", "student", "lessons"]) localStorage.setItem(`gray1.${key}`, "[1, {}]");
    });
    const page = await open();
    await page.locator("#name", { hasText: "queens.g1" }).waitFor();
    assert.deepEqual(await page.locator("#program-choice optgroup[label=Yours] option").allInnerTexts(), ["b.g1"]);
    await page.getByRole("tab", { name: "Lessons" }).click();
    await page.locator(".lesson-body h3").waitFor();
  });
});

test("two tabs with one program keep two programs, however often they take turns", async () => {
  await withProfile({}, async ({ open }) => {
    const [one, other] = [await open(), await open()];
    for (const page of [one, other]) await openFile(page, "both.g1", "halt: jmp halt\n");
    for (let turn = 1; turn <= 3; turn++) {
      for (const [page, sign] of [[one, "one"], [other, "other"]]) {
        await type(page, `; ${sign} ${turn}\nhalt: jmp halt\n`);
        // Each tab is a process, which hears a moment later of what the other has stored.
        for (const tab of [one, other]) await tab.waitForFunction((text) => localStorage.getItem("gray1.own").includes(text), `; ${sign} ${turn}`);
      }
    }
    const own = await one.evaluate(() => Object.values(JSON.parse(localStorage.getItem("gray1.own"))).map(({ name, text }) => [name, text.split("\n")[0]]));
    assert.deepEqual(own.sort(), [["both (earlier).g1", "; one 3"], ["both.g1", "; other 3"]]);
    // Each tab has its own after a reload.
    for (const [page, sign] of [[one, "one"], [other, "other"]]) {
      await page.reload();
      await page.locator(".cm-line", { hasText: `; ${sign} 3` }).waitFor();
    }
  });
});

test("a program that has to go can be saved", async () => {
  await withPage(async (page) => {
    await page.evaluate(() => {
      const programs = Array.from({ length: 40 }, (_, at) => [`p${at}.g1`, { name: `p${at}.g1`, text: `; ${at}\n`, points: [], isOwn: true }]);
      localStorage.setItem("gray1.own", JSON.stringify(Object.fromEntries(programs)));
    });
    await openFile(page, "mine.g1", "halt: jmp halt\n");
    await page.getByRole("alert").getByText("p0.g1 had to go").waitFor();
    const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Save as a file" }).click());
    assert.deepEqual([name, bytes.toString()], ["p0.g1", "; 0\n"]);
  });
});

test("a page that was saved by the browser opens with one of everything", async () => {
  await withFolder(async (folder) => {
    await withProfile({ isFirst: true }, async ({ open }) => {
      const page = await open();
      await page.getByRole("dialog", { name: "Tour" }).waitFor();
      await page.locator("#help").click();
      const path = join(folder, "saved.html");
      writeFileSync(path, `<!doctype html>\n${await page.evaluate(() => document.documentElement.outerHTML)}`);
      const again = await open(pathToFileURL(path).href);
      for (const [selector, count] of [["#leds .pads button", 64], ["[role=tab]", 7], [".cm-editor", 1], [".track", 1], ["#bar button", 3], ["dialog[open]", 0], ["#steps .pair", 6]]) {
        assert.equal(await again.locator(selector).count(), count, selector);
      }
      await standing(again).catch(() => assert.fail("it runs"));
    });
  });
});

test("a browser that is too old is told so", async () => {
  await withProfile({}, async ({ context }) => {
    await context.addInitScript(() => delete globalThis.DecompressionStream);
    const page = await context.newPage();
    await page.goto(ADDRESS);
    await page.locator("#banner", { hasText: "This browser is too old for this page: it has no DecompressionStream, which is in Firefox 113" }).waitFor();
  });
});

test("a state can be saved where a solution stops, within a cycle", async () => {
  await withPage(async (page) => {
    await page.getByRole("button", { name: "Forward one solution" }).click();
    await page.locator("#output", { hasText: "15863724" }).waitFor();
    await standing(page);
    const [cycle, phase] = await page.getByRole("slider", { name: "Time line" }).evaluate((line) => [Number(line.getAttribute("aria-valuenow")), line.getAttribute("aria-valuetext")]);
    assert.doesNotMatch(phase, /phase 0/);
    await page.locator("#save").click();
    const { bytes } = await saved(page, () => page.getByRole("menuitem", { name: /^State/ }).click());
    assert.match(bytes.toString(), new RegExp(`\\b${cycle}\\b`));
    await page.locator("#file").setInputFiles({ name: "state.ron", mimeType: "text/plain", buffer: bytes });
    await page.locator("#banner", { hasText: "the machine is as it was saved" }).waitFor();
    await atCycle(page, cycle);
  });
});
