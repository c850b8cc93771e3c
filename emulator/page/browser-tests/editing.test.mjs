// The source: errors while typing, costs, files, and that no text is ever lost.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { atCycle, openFile, runButton, saved, setSpeed, standing, type, withPage, withProfile } from "./browser.mjs";
import { native, withFolder } from "./native.mjs";

const WRONG = "      lda  #300\n      stq  OUT\nhalt: jmp  halt\n";
const RIGHT = "      lda  #'A'\n      sta  OUT\nhalt: jmp  halt\n";

test("an error is shown while typing, with its place and a remedy, and disappears once corrected", async () => {
  await withPage(async (page) => {
    await type(page, WRONG);
    const problems = page.getByRole("region", { name: "Errors and warnings" });
    await problems.getByText("error line 1").waitFor();
    await problems.getByText("error line 2").waitFor();
    await page.locator(".cm-lintRange-error").first().waitFor();
    assert.equal(await page.locator("#size").innerText(), "2 errors");
    await problems.getByRole("button", { name: "error line 2" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" ; here");
    await page.locator(".cm-line", { hasText: "stq  OUT ; here" }).waitFor();
    await runButton(page).click();
    await page.getByRole("alert").getByText("The program has 2 errors").waitFor();
    await standing(page);
    await type(page, RIGHT);
    await problems.waitFor({ state: "hidden" });
    assert.match(await page.locator("#size").innerText(), /^3 words/);
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#output", { hasText: /^A$/ }).waitFor();
  });
});

test("the messages of errors equal those of the command line", async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, "wrong.g1"), WRONG);
    const { stderr } = native(folder, ["asm", "wrong.g1", "-o", "wrong.out"], [1]);
    const messages = [...stderr.matchAll(/^(?:.*: )?error(?:\[[^\]]*\])?:? (.+)$/gm)].map(([, message]) => message);
    assert.equal(messages.length, 2, stderr);
    await withPage(async (page) => {
      await openFile(page, "wrong.g1", WRONG);
      const problems = page.getByRole("region", { name: "Errors and warnings" });
      await problems.getByText("error line 2").waitFor();
      const shown = await problems.innerText();
      for (const message of messages) assert.ok(shown.includes(message), `${message}\n--- is not in ---\n${shown}`);
    });
  });
});

test("an error can be explained", async () => {
  await withPage(async (page) => {
    await type(page, WRONG);
    await page.getByRole("button", { name: "Explain" }).first().click();
    const dialog = page.getByRole("dialog");
    assert.ok((await dialog.innerText()).length > 100);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });
});

test("costs are shown beside the source", async () => {
  await withPage(async (page) => {
    await openFile(page, "costs.g1", ".macro twice\n      add  #1\n      add  #1\n.endmacro\n      twice\nhalt: jmp  halt\n");
    const costs = page.locator(".cm-costs .cm-gutterElement span");
    await costs.first().waitFor();
    assert.deepEqual(await costs.evaluateAll((costs) => costs.map(({ title }) => title)), ["2 words; 2 cycles", "1 word; 1 cycle"]);
  });
});

test("after an edit, Run starts a new run", async () => {
  await withPage(async (page) => {
    await openFile(page, "right.g1", RIGHT);
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
    await type(page, RIGHT.replace("'A'", "'B'"));
    await page.getByText("changed: Run begins anew").waitFor();
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#output", { hasText: /^B$/ }).waitFor();
    await page.getByText("changed: Run begins anew").waitFor({ state: "hidden" });
  });
});

test("a step right after typing is not lost, however long the machine takes to load the new text", async () => {
  await withPage(async (page) => {
    await openFile(page, "right.g1", RIGHT);
    await page.locator(".cm-content").click();
    await page.keyboard.type("; typed ");
    // The worker is busy for longer than the pause in typing after which the page asks the assembler.
    const isFree = page.workers()[0].evaluate(() => {
      for (const end = performance.now() + 800; performance.now() < end; );
    });
    await page.locator("#steps [aria-label='Forward one phase']").evaluate((button) => button.click());
    await isFree;
    await atCycle(page, 0, 1);
  });
});

test("text that was typed, even with errors, and breakpoints are kept after a reload", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await type(page, `${WRONG}; not finished`);
    await page.locator(".cm-line", { hasText: "lda  #300" }).click();
    await page.keyboard.press("F9");
    await page.locator(".point").waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "; not finished" }).waitFor();
    await page.locator(".point").waitFor();
    await page.getByRole("region", { name: "Errors and warnings" }).getByText("error line 2").waitFor();
  });
});

test("a program is opened by dropping its file together with the file that it includes", async () => {
  await withPage(async (page) => {
    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File(['.include "letter.g1"\n      lda  #LETTER\n      sta  OUT\nhalt: jmp  halt\n'], "mine.g1"));
      files.items.add(new File(["LETTER = 'Z'\n"], "letter.g1"));
      const event = (name) => new DragEvent(name, { dataTransfer: files, bubbles: true, cancelable: true });
      document.querySelector("#editor").dispatchEvent(event("dragover"));
      document.querySelector("#editor").dispatchEvent(event("drop"));
    });
    await page.locator("#name", { hasText: "mine.g1" }).waitFor();
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#output", { hasText: /^Z$/ }).waitFor();
  });
});

test("of several files, the program is the one that no other file includes, in any order", async () => {
  await withPage(async (page) => {
    const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.locator("#file").setInputFiles([
      file("a.g1", "A = 'Q'\n"),
      file("b.g1", ' .include "a.g1" ; and not "main.g1"\n'),
      file("main.g1", '; .include "main.g1"\n      .include "b.g1"\n      lda  #A\n      sta  OUT\nhalt: jmp  halt\n'),
    ]);
    await page.locator("#name", { hasText: "main.g1" }).waitFor();
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#output", { hasText: /^Q$/ }).waitFor();
  });
});

test("a file that is no program is refused, and the open program stays", async () => {
  await withPage(async (page) => {
    await page.locator("#file").setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0xff, 0xfe, 0]) });
    await page.getByRole("alert").getByText("this is not a text file").waitFor();
    await page.locator("#file").setInputFiles({ name: "broken.ron", mimeType: "text/plain", buffer: Buffer.from("(nonsense") });
    await page.getByRole("alert").getByText("broken.ron").or(page.getByRole("alert").getByText("state")).first().waitFor();
    assert.equal(await page.locator("#name").innerText(), "queens.g1");
  });
});

test("every shipped program can be chosen and has no errors", async () => {
  await withPage(async (page) => {
    const choice = page.locator("#program-choice");
    const names = await choice.locator("option").evaluateAll((options) => options.map((option) => option.value));
    assert.ok(names.length >= 25, names.join(" "));
    for (const name of names) {
      await choice.selectOption(name);
      await page.waitForFunction((name) => document.querySelector("#name").textContent === name && /words/.test(document.querySelector("#size").textContent), name);
      await atCycle(page, 0); // not the position in the previous program
      await page.getByRole("button", { name: "Forward one instruction" }).click();
      await atCycle(page, 1);
    }
  });
});

test("the source can be saved as it is", async () => {
  await withPage(async (page) => {
    await openFile(page, "right.g1", RIGHT);
    await page.getByRole("button", { name: "Save" }).click();
    const { name, bytes } = await saved(page, () => page.getByRole("menuitem", { name: /^Source/ }).click());
    assert.equal(name, "right.g1");
    assert.equal(bytes.toString(), RIGHT);
  });
});

test("options: constants, RAM and engine start a new run, and wrong ones are refused", async () => {
  await withPage(async (page) => {
    await page.locator("#program-choice").selectOption("nqueens.g1");
    await page.locator("#name", { hasText: "nqueens.g1" }).waitFor();
    const options = page.getByRole("dialog", { name: "Options" });
    const choose = async (constants, engine) => {
      await page.getByRole("button", { name: "Options" }).click();
      for (const [name, value] of Object.entries(constants)) await options.getByRole("textbox", { name, exact: true }).fill(value);
      await options.getByRole("combobox", { name: "Engine" }).selectOption(engine);
      await options.getByRole("button", { name: "Begin anew" }).click();
      await options.waitFor({ state: "hidden" });
    };
    await choose({ N: "6", PRINT: "0", "RAM at power-up": "zero" }, "isa");
    await atCycle(page, 0);
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.locator("#output", { hasText: /^4 solutions/ }).waitFor();
    await standing(page);
    await choose({ N: "5" }, "chips");
    await atCycle(page, 0);
    await runButton(page).click();
    await page.locator("#output", { hasText: /^10 solutions/ }).waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    await options.getByRole("textbox", { name: "N", exact: true }).fill("many");
    const [dialog, form] = await Promise.all([options, options.locator("form")].map((part) => part.boundingBox()));
    assert.ok(form.x - dialog.x < 40, "the form begins at the left");
    await options.getByRole("button", { name: "Begin anew" }).click();
    await options.getByText("N must be a whole number").waitFor();
    await options.getByRole("button", { name: "Cancel" }).click();
    await choose({ N: "5", "RAM at power-up": "half" }, "chips");
    await page.getByRole("alert").getByText("RAM at power-up: write").waitFor();
  });
});

test("Format can be undone", async () => {
  await withPage(async (page) => {
    await openFile(page, "loose.g1", "lda #1\n   sta    OUT\nhalt: jmp halt\n");
    await page.getByRole("button", { name: "Format" }).click();
    await page.locator(".cm-line", { hasText: /^ {6}lda {2}#1$/ }).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+z");
    await page.locator(".cm-line", { hasText: /^lda #1$/ }).waitFor();
  });
});

test("breakpoints stay with their lines when the source is formatted, and when that is undone", async () => {
  await withPage(async (page) => {
    const loose = "\n\nlda #1\n\n \n\n   sta    OUT\nadd #1\n\nhalt: jmp halt\n\n";
    await page.locator("#file").setInputFiles({ name: "points.g1", mimeType: "text/plain", buffer: Buffer.from(loose) });
    await page.locator("#name", { hasText: "points.g1" }).waitFor();
    const lines = () => page.locator(".cm-line").allInnerTexts().then((lines) => lines.map((line) => line.trim()));
    const pointed = async () => {
      const tops = await page.locator(".cm-line").evaluateAll((lines) => lines.map((line) => [Math.round(line.getBoundingClientRect().top), line.textContent.trim()]));
      const points = await page.locator(".point").evaluateAll((points) => points.map((point) => point.closest(".cm-gutterElement").getBoundingClientRect().top));
      return points.map((top) => tops.reduce((best, line) => (Math.abs(line[0] - top) < Math.abs(best[0] - top) ? line : best))[1].replace(/\s+/g, " "));
    };
    for (const text of ["lda #1", "sta ", "halt:"]) {
      await page.locator(".cm-line", { hasText: text }).click();
      await page.keyboard.press("F9");
    }
    const wanted = ["lda #1", "sta OUT", "halt: jmp halt"];
    assert.deepEqual(await pointed(), wanted);
    await page.getByRole("button", { name: "Format" }).click();
    await page.locator(".cm-line", { hasText: /^ {6}lda {2}#1$/ }).waitFor();
    assert.deepEqual(await lines(), ["lda  #1", "", "sta  OUT", "add  #1", "", "halt: jmp  halt", ""]);
    assert.deepEqual(await pointed(), wanted);
    await setSpeed(page, "max");
    await runButton(page).click();
    await atCycle(page, 1);
    await standing(page);
    await page.locator(".cm-running", { hasText: "sta" }).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+z");
    await page.locator(".cm-line", { hasText: /^lda #1$/ }).waitFor();
    assert.deepEqual((await pointed()).slice(-2), wanted.slice(1));
  });
});

test("every program that was changed is kept", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    const choice = page.locator("#program-choice");
    for (const name of ["life.g1", "ant.g1"]) {
      await choice.selectOption(name);
      await page.locator("#name", { hasText: name }).waitFor();
      await page.locator(".cm-content").click();
      await page.keyboard.type(`; mine: ${name} `);
    }
    await page.reload();
    await page.locator(".cm-line", { hasText: "; mine: ant.g1" }).waitFor();
    await choice.selectOption("own:life.g1");
    await page.locator(".cm-line", { hasText: "; mine: life.g1" }).waitFor();
    await choice.selectOption("life.g1");
    await page.locator(".cm-line", { hasText: "; mine: life.g1" }).waitFor({ state: "detached" });
    // What the browser loses for all tabs, this one still has.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await choice.selectOption("own:life.g1");
    await page.locator(".cm-line", { hasText: "; mine: life.g1" }).waitFor();
  });
});

test("another program of the same name does not replace an earlier one, and an unchanged shipped program is not stored", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    const choice = page.locator("#program-choice");
    const typeFirst = async (text) => {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type(text);
    };
    const own = () => page.evaluate(() => Object.entries(JSON.parse(localStorage.getItem("gray1.own") ?? "{}")).map(([name, { text }]) => [name, text.slice(0, 7)]));
    await choice.selectOption("life.g1");
    await page.locator("#name", { hasText: "life.g1" }).waitFor();
    await typeFirst("; one\n");
    await choice.selectOption("life.g1");
    await page.locator(".cm-line", { hasText: /^; one$/ }).waitFor({ state: "detached" });
    await typeFirst("; two\n");
    assert.deepEqual(await own(), [["life (earlier).g1", "; one\n;"], ["life.g1", "; two\n;"]]);
    for (const _ of "; two\n") {
      await page.keyboard.press("Backspace");
    }
    assert.deepEqual(await own(), [["life (earlier).g1", "; one\n;"]]);
    for (const letter of ["a", "b", "c"]) {
      await openFile(page, "mine.g1", `; ${letter}\n${RIGHT}`);
      await page.locator(".cm-line", { hasText: new RegExp(`^; ${letter}$`) }).waitFor();
    }
    await page.waitForFunction(() => JSON.parse(localStorage.getItem("gray1.own") ?? "{}")["mine.g1"]?.text.startsWith("; c"));
    assert.deepEqual((await own()).map(([name, text]) => `${name} ${text.slice(0, 3)}`), ["life (earlier).g1 ; o", "mine (earlier).g1 ; a", "mine (earlier 2).g1 ; b", "mine.g1 ; c"]);
    await choice.selectOption("own:mine (earlier).g1");
    await page.locator(".cm-line", { hasText: /^; a$/ }).waitFor();
  });
});

test("the page warns that the browser cannot store anything, once there is something to lose", async () => {
  await withProfile({}, async ({ open, context }) => {
    await context.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    const page = await open();
    await page.locator("#banner").waitFor({ state: "hidden" });
    await type(page, RIGHT);
    await page.getByRole("alert").getByText("This browser keeps nothing more").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("Enter");
    await page.locator("#banner").waitFor({ state: "hidden" });
  });
});
