// Keys, fingers and ears: what is announced, how far it is to Run, keys that are held, fingers that are drawn over pads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FILE_ADDRESS, atCycle, led, openFile, runButton, setSpeed, standing, type, withPage } from "./browser.mjs";

test("Run is reached by five presses of Tab", async () => {
  await withPage(async (page) => {
    let steps = 0;
    for (; steps < 5 && !(await page.evaluate(() => document.activeElement.id === "run")); steps++) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "run", `${steps} presses`);
  });
});

test("only what is new in the output is announced", async () => {
  await withPage(async (page) => {
    await page.evaluate(() => {
      const log = document.querySelector("#output");
      window.added = "";
      window.silent = "";
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const { textContent } of addedNodes) window[log.getAttribute("aria-live") === "off" ? "silent" : "added"] += textContent;
      }).observe(log, { childList: true, characterData: true, subtree: true });
    });
    await page.getByRole("slider", { name: "Speed" }).press("End");
    await runButton(page).click();
    await page.locator("#run", { hasText: "Run again" }).waitFor();
    const output = await page.locator("#output").evaluate((log) => log.textContent);
    assert.equal(output.trim().split("\n").length, 93);
    assert.equal(await page.evaluate(() => window.added), output, "each character once");
    for (let steps = 0; steps < 3; steps++) await page.getByRole("button", { name: "Back one solution" }).click();
    await page.waitForFunction(() => window.silent !== "");
    assert.equal(await page.evaluate(() => window.added), output, "nothing of the past is announced");
  });
});

test("a Space bar that is held toggles Run once", async () => {
  await withPage(async (page) => {
    await setSpeed(page, 0);
    await page.locator("h1").click();
    await page.keyboard.down("Space");
    await page.locator("#run", { hasText: "Pause" }).waitFor();
    for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down("Space");
    await page.keyboard.up("Space");
    await page.waitForTimeout(200);
    assert.equal(await runButton(page).innerText(), "Pause");
    await page.keyboard.press("Space");
    await standing(page);
  });
});

test("a pointer drawn over the pads presses each of them", async () => {
  await withPage(async (page) => {
    await openFile(page, "echo.g1", "again: lda  PADCOL\n      sta  RED\n      jmp  again\n");
    await setSpeed(page, "max");
    await runButton(page).click();
    const middle = async (column) => {
      const { x, y, width, height } = await led(page, 0, column).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const pressed = (column) => page.locator(`#leds .pads button[aria-label^="row 0, column ${column}:"][aria-pressed="true"]`).waitFor();
    await page.mouse.move(...(await middle(2)));
    await page.mouse.down();
    for (const column of [2, 3, 4]) {
      await page.mouse.move(...(await middle(column)));
      await pressed(column);
    }
    await page.mouse.up();
    await page.waitForFunction(() => !document.querySelector('#leds [aria-pressed="true"]'));
  });
});

test("arrow keys in the closed list of programs open the one that they end at", async () => {
  await withPage(async (page) => {
    await page.evaluate(() => {
      window.opened = [];
      new MutationObserver(() => window.opened.push(document.querySelector("#name").textContent)).observe(document.querySelector("#name"), { childList: true, characterData: true, subtree: true });
    });
    const choice = page.locator("#program-choice");
    await choice.focus();
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press("ArrowDown");
    const last = await choice.inputValue();
    await page.keyboard.press("Enter");
    await page.locator("#name", { hasText: last }).waitFor();
    assert.deepEqual(await page.evaluate(() => window.opened), [last]);
  });
});

test("each shipped program is in the list once, by topic", async () => {
  await withPage(async (page) => {
    const groups = await page.locator("#program-choice optgroup:not([label=Yours])").evaluateAll((all) => all.map(({ label, children }) => [label, [...children].map(({ value }) => value)]));
    assert.ok(groups.length >= 5);
    const names = groups.flatMap(([, values]) => values);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 27 && !groups.some(([label]) => label === "More programs"), JSON.stringify(groups));
  });
});

test("the source follows a slow run, and a fast one leaves no line of an included file marked", async () => {
  await withPage(async (page) => {
    const text = `      .include "lib/logic.g1"\n.ram  n\nagain: lda  #6\n      and  n\n${"      sta  n\n".repeat(60)}      jmp  again\n`;
    await openFile(page, "long.g1", text);
    await setSpeed(page, 6); // 20 instructions a second
    await runButton(page).click();
    await page.waitForFunction(() => document.querySelector("#editor .cm-running")?.textContent.includes("sta") && document.querySelector(".cm-scroller").scrollTop > 100);
    await page.waitForFunction(() => document.querySelector("#included .cm-running"));
    await setSpeed(page, "max");
    await page.waitForFunction(() => !document.querySelector("#included:not([hidden]) .cm-running"));
    await runButton(page).click();
    await standing(page);
  });
});

test("the counter is shown as a number and as the chips hold it", async () => {
  await withPage(async (page) => {
    await openFile(page, "count.g1", `${"      lda  #1\n".repeat(6)}halt: jmp  halt\n`);
    for (let at = 1; at <= 4; at++) {
      await page.getByRole("button", { name: "Forward one instruction" }).click();
      await atCycle(page, at);
    }
    const [, number, gray] = /PC\s+\$(\w+)\s+Gray (\w+)/.exec(await page.locator("#registers").innerText());
    assert.equal(parseInt(number, 16) ^ (parseInt(number, 16) >> 1), parseInt(gray, 16));
    await page.locator(".buses div", { hasText: `PC ${gray}` }).or(page.locator(".buses div", { hasText: `PC${gray}` })).first().waitFor();
  });
});

test("a check says what was judged, and can judge what was in the editor", async () => {
  await withPage(async (page) => {
    await page.getByRole("tab", { name: "Lessons" }).click();
    await page.getByRole("combobox", { name: "Lesson" }).selectOption("5");
    await type(page, "; not the exercise\nhalt: jmp  halt\n");
    const exercise = page.getByRole("region", { name: "Exercise 5.1" });
    await exercise.getByRole("button", { name: "Check" }).click();
    await exercise.getByText("Judged was exercise-5.1.g1, as it is now in the editor, and not queens.g1").waitFor();
    await exercise.getByRole("button", { name: "Judge queens.g1" }).click();
    await page.locator(".cm-line", { hasText: "; not the exercise" }).waitFor();
    await page.locator("#name", { hasText: "exercise-5.1.g1" }).waitFor();
  });
});

test("a link from a file says that it begins with the place of the file", async () => {
  await withPage(async (page) => {
    await page.locator("#link").click();
    await page.locator("#banner", { hasText: "It begins with the place of this file on your computer" }).waitFor();
  }, { address: FILE_ADDRESS });
});
