// Every control of the page and what it does, as a table. A control that matches no row is an error, and so is a row that
// matches no control.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BENCH } from "./bench-controls.mjs";
import { atCycle, led, moved, openFile, ready, runButton, saved, showView, standing, withPage } from "./browser.mjs";

const CONTROLS = "button, a[href], summary, input, select, textarea, [role=button], [role=slider], [contenteditable=true]";

const PROGRAM = `N ?= 5
.ram  n
      lda  #N
      sta  n
      sta  GREEN+2
      lda  #'7'
      sta  OUT
halt: jmp  halt
`;

const WRONG = "      lda  #300\nhalt: jmp  halt\n";

const tab = (page, name) => page.getByRole("tab", { name }).click();
const forward = (page) => moved(page, () => page.locator("#steps [aria-label='Forward one instruction']").click());
const pressed = (page, selector) => page.locator(selector).first().getAttribute("aria-pressed");

/** Runs an action that must change the value of the expression `probe`. */
async function changes(page, probe, action) {
  const before = await page.evaluate(probe);
  await action();
  await page.waitForFunction(([probe, before]) => JSON.stringify(eval(probe)) !== before, [probe, JSON.stringify(before)]);
}

/** Switches a button on and off again. */
async function toggles(page, selector) {
  for (const wanted of ["true", "false"]) {
    await page.locator(selector).first().click();
    await page.locator(`${selector}[aria-pressed="${wanted}"]`).first().waitFor();
  }
}

/** For each part of the page, its controls by selector, each with a test of what it does. */
const PLACES = {
  head: {
    "#program-choice": async (page) => {
      await page.locator("#program-choice").selectOption("first.g1");
      await page.locator("#name", { hasText: "first.g1" }).waitFor();
      await openFile(page, "mine.g1", PROGRAM);
    },
    "#open": (page) => Promise.all([page.waitForEvent("filechooser"), page.locator("#open").click()]),
    "#file": (page) => openFile(page, "mine.g1", PROGRAM),
    "#save": async (page) => {
      await page.locator("#save").click();
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "hidden" });
    },
    "#save-menu [role=menuitem]": async (page) => {
      await forward(page);
      const names = [];
      for (const item of await page.locator("#save-menu [role=menuitem]").all()) {
        await page.locator("#save").click();
        const isAsked = (await item.innerText()).includes("…");
        const save = async () => {
          await item.click();
          if (isAsked) await page.locator("#question-dialog").getByRole("button", { name: "OK" }).click();
        };
        names.push((await saved(page, save)).name);
      }
      assert.deepEqual(names, ["g1", "png", "gif", "gif", "ron", "bin", "lst", "vcd"].map((ending) => `mine.${ending}`));
    },
    "#file-menu": async (page) => {
      await page.locator("#file-menu").click();
      await page.locator("#program-menu").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("#program-menu").waitFor({ state: "hidden" });
    },
    "#program-menu [role=menuitem], #question-dialog :is(input, button)": async (page) => {
      const item = async (name) => {
        await page.locator("#file-menu").click();
        await page.getByRole("menuitem", { name }).click();
      };
      await item("New");
      await page.locator("#name", { hasText: "mine-2.g1" }).waitFor();
      await item("Rename");
      const field = page.getByRole("textbox", { name: "Name" });
      await field.fill("queens.g1");
      await page.getByRole("button", { name: "OK" }).click();
      await page.getByRole("alert").getByText("There is a program queens.g1 already").waitFor();
      await field.fill("other");
      await page.getByRole("button", { name: "OK" }).click();
      await page.locator("#name", { hasText: "other.g1" }).waitFor();
      await item("Rename");
      await page.getByRole("button", { name: "Cancel" }).click();
      await item("Delete");
      await page.locator("#name", { hasText: "queens.g1" }).waitFor();
      const own = () => page.locator("#program-choice optgroup[label=Yours] option").allInnerTexts();
      assert.ok(!(await own()).includes("other.g1"));
      await page.getByRole("button", { name: "Bring it back" }).click();
      await page.locator("#name", { hasText: "other.g1" }).waitFor();
      assert.ok((await own()).includes("other.g1"));
      await page.reload();
      await page.locator("#name", { hasText: "other.g1" }).waitFor();
      await openFile(page, "mine.g1", PROGRAM);
    },
    "#tour, #tour-card button": async (page) => {
      await page.locator("#tour").click();
      await page.locator("#tour-card").getByRole("button", { name: "Next" }).click();
      await page.locator("#tour-card").getByRole("button", { name: "Back" }).click();
      await page.locator("#tour-card").getByRole("button", { name: "Leave the tour" }).click();
      await page.locator("#tour-card").waitFor({ state: "hidden" });
    },
    "#changes button": async (page) => {
      await led(page, 1, 1).click();
      await page.locator("#changes button").click();
      await page.locator("#changes").waitFor({ state: "hidden" });
    },
    "#letters": async (page) => {
      await page.locator("#help").click();
      await page.locator("#letters").uncheck();
      await page.keyboard.press("Escape");
      await page.locator("h1").click();
      await page.keyboard.press("c");
      await page.keyboard.press("End");
      await atCycle(page, 0);
      await page.locator("#help").click();
      await page.locator("#letters").check();
      await page.keyboard.press("Escape");
    },
    "#link, #banner button": async (page) => {
      await page.locator("#link").click();
      await page.locator("#banner", { hasText: "link" }).waitFor();
      await page.locator("#banner button").click();
      await page.locator("#banner").waitFor({ state: "hidden" });
    },
    "#help-dialog .version button": async (page) => {
      await page.locator("#help").click();
      await page.getByRole("button", { name: "Licences" }).click();
      for (const name of ["serde", "@codemirror/view", "Rust's standard library"]) await page.locator("#help-dialog .explained", { hasText: name }).waitFor();
      await page.keyboard.press("Escape");
    },
    "#help, #help-dialog form button": async (page) => {
      await page.locator("#help").click();
      await page.locator("#help-dialog", { hasText: "The eight instructions" }).waitFor();
      await page.locator("#help-dialog form button").click();
      await page.locator("#help-dialog").waitFor({ state: "hidden" });
    },
  },
  panel: {
    "#leds .pads button": async (page) => {
      for (const wanted of ["true", "false"]) {
        await led(page, 4, 5).click();
        await page.locator(`#leds button[aria-label^="row 4, column 5:"][aria-pressed="${wanted}"]`).waitFor();
      }
    },
    "#keys button": async (page) => {
      const names = await page.locator("#keys button").evaluateAll((keys) => keys.map((key) => key.getAttribute("aria-label")));
      assert.equal(names.length, 7);
      for (const name of names) await toggles(page, `#keys button[aria-label="${name}"]`);
    },
    "#shapes": (page) => toggles(page, "#shapes"),
    "#ask": async (page) => {
      await page.locator("#ask").click();
      await led(page, 2, 0).click();
      await page.locator(".why-answer h3", { hasText: "2,0" }).waitFor();
      assert.equal(await pressed(page, "#ask"), "false");
    },
  },
  source: {
    "#counts": async (page) => {
      await forward(page);
      await page.locator("#counts").click();
      await page.locator(".cm-counts span").first().waitFor();
      await page.locator("#counts").click();
      await page.waitForFunction(() => document.querySelectorAll(".cm-counts span").length === 0);
    },
    "#calls :is(summary, button)": async (page) => {
      await openFile(page, "calls.g1", ".macro m\n      lda  #1\n.endmacro\n      lda  #0\n      m\nhalt: jmp  halt\n");
      await page.locator("#counts").click();
      for (let steps = 0; steps < 2; steps++) await forward(page);
      await page.locator("#calls summary").click();
      await moved(page, () => page.getByRole("button", { name: "First call of m" }).click());
      await forward(page);
      await moved(page, () => page.getByRole("button", { name: "Longest call of m" }).click());
      await page.locator("#calls").getByRole("button", { name: "m", exact: true }).click();
      assert.ok(await page.evaluate("document.activeElement.closest('#editor') !== null"));
      await page.locator("#calls").getByRole("button", { name: "Count again" }).click();
      await page.locator("#calls", { hasText: "No routine and no macro" }).waitFor();
      await page.locator("#counts").click();
      await page.locator("#calls").waitFor({ state: "hidden" });
      await openFile(page, "mine.g1", PROGRAM);
    },
    "#options, #options-dialog :is(input, select, button)": async (page) => {
      const dialog = page.locator("#options-dialog");
      await page.locator("#options").click();
      await dialog.getByRole("textbox", { name: "N", exact: true }).fill("9");
      await dialog.getByRole("textbox", { name: "RAM" }).fill("ones");
      await dialog.getByRole("combobox").selectOption("isa");
      await dialog.getByRole("button", { name: "Begin anew" }).click();
      await atCycle(page, 0);
      await forward(page);
      await page.locator("#registers", { hasText: "$09" }).waitFor();
      await page.locator("#options").click();
      assert.equal(await dialog.getByRole("textbox", { name: "RAM" }).inputValue(), "ones");
      assert.equal(await dialog.getByRole("combobox").inputValue(), "isa");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "hidden" });
    },
    "#editor .cm-content, #format": async (page) => {
      await page.locator("#editor .cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type(" lda   #1 ; typed\n");
      await page.locator(".cm-line", { hasText: /^ lda {3}#1 ; typed$/ }).waitFor();
      await page.locator("#format").click();
      await page.locator(".cm-line", { hasText: /^ {6}lda {2}#1 *; typed$/ }).waitFor();
    },
    "#editor .cm-panel :is(input, button)": async (page) => {
      await page.locator("#editor .cm-content").click();
      await page.keyboard.press("Control+f");
      await page.locator(".cm-panel input[name=search]").fill("sta");
      await page.locator(".cm-panel button[name=next]").click();
      await page.locator(".cm-panel input[name=replace]").fill("STA");
      await page.locator(".cm-panel button[name=replaceAll]").click();
      await page.locator(".cm-line", { hasText: "STA" }).first().waitFor();
      await page.locator(".cm-panel button[name=close]").click();
      await page.locator(".cm-panel").waitFor({ state: "detached" });
    },
    "#points :is(summary, button, input)": async (page) => {
      await openFile(page, "points.g1", PROGRAM);
      await page.locator(".cm-line", { hasText: "GREEN" }).click();
      await page.keyboard.press("F9");
      await page.locator("#points summary").click();
      for (const [name, text] of [["Condition", "n == 5"], ["Hits", "1"]]) await page.locator("#points").getByRole("textbox", { name }).fill(text);
      await page.keyboard.press("Enter");
      await page.locator(".point[title='Breakpoint: if n == 5, hits 1']").waitFor();
      await page.locator("h1").click();
      await page.locator("#points .go").click();
      assert.ok(await page.evaluate("document.activeElement.closest('#editor') !== null"));
      await page.locator("#points .quiet").click();
      await page.locator("#points").waitFor({ state: "hidden" });
    },
    "#problems :is(.problem-text, .code)": async (page) => {
      await openFile(page, "wrong.g1", WRONG);
      await page.locator("#problems .problem-text").click();
      assert.ok(await page.evaluate("document.activeElement.closest('#editor') !== null"));
      await page.locator("#problems .code").click();
      await page.locator("#help-dialog .explained").waitFor();
      await page.keyboard.press("Escape");
      await openFile(page, "mine.g1", PROGRAM);
    },
    "#included button, #included .cm-content": async (page) => {
      await openFile(page, "uses.g1", '      .include "lib/logic.g1"\n      not\nhalt: jmp  halt\n');
      await page.locator("#included .cm-running", { hasText: "nor" }).waitFor();
      await page.locator("#included button").click();
      await page.locator("#included").waitFor({ state: "hidden" });
      await openFile(page, "mine.g1", PROGRAM);
    },
  },
  inside: {
    "#tabs [role=tab]": async (page) => {
      for (const one of await page.locator("#tabs [role=tab]").all()) {
        await one.click();
        await page.locator(`#${await one.getAttribute("aria-controls")}`).waitFor();
      }
    },
    ".board-tools button": async (page) => {
      await tab(page, "Board");
      await toggles(page, ".board-tools .larger");
      await toggles(page, ".board-tools .changes");
    },
    ".board .block.chip, .chip > .toolbar :is(select, button)": async (page) => {
      await tab(page, "Board");
      await page.locator(".block.chip", { hasText: "PMUX" }).click();
      await page.locator(".chip-body h3", { hasText: "PMUX" }).waitFor();
      await page.getByRole("combobox", { name: "Chip" }).selectOption("XMUX");
      await page.locator(".chip-body h3", { hasText: "XMUX" }).waitFor();
    },
    ".chip :is(.cells, .near) button": async (page) => {
      await page.locator(".cells td:not(.at) button").first().click();
      await page.locator(".cell h4", { hasText: "The cell that is shown" }).waitFor();
      await page.getByRole("button", { name: "Follow" }).first().click();
      await page.locator(".cell h4", { hasText: "The cell in use" }).waitFor();
      await page.locator(".near button").first().click();
      await page.locator(".cell h4", { hasText: "The cell that is shown" }).waitFor();
      await page.getByRole("button", { name: "Follow" }).first().click();
      await page.locator(".cell h4", { hasText: "The cell in use" }).waitFor();
    },
    ".chip .cell :is(input, button)": async (page) => {
      await page.locator(".cell input").fill("$06");
      await page.getByRole("button", { name: "Burn" }).click();
      await page.locator(".cell h4", { hasText: "gives $06" }).waitFor();
      await page.getByRole("button", { name: "Undo all" }).click();
      await page.locator(".cell h4", { hasText: "gives $05" }).waitFor();
    },
    ".chip .pin": async (page) => {
      await page.locator(".pins.reads .pin").first().click();
      await page.locator(".why-answer h3").waitFor();
    },
    ".ram > .toolbar button, .ram-table button, .ram-chosen :is(input, button)": async (page) => {
      await tab(page, "RAM");
      await page.getByRole("button", { name: "All bytes" }).click();
      await page.locator(".ram-table th", { hasText: "$FF0" }).waitFor();
      await page.getByRole("button", { name: "By name" }).click();
      await page.locator(".ram-table th", { hasText: "$FF0" }).waitFor({ state: "detached" });
      await page.locator(".ram-table button").first().click();
      await page.locator(".ram-chosen input").fill("77");
      await page.getByRole("button", { name: "Change" }).click();
      await page.locator(".ram-hint", { hasText: "n is $4D" }).waitFor();
      await page.locator(".ram-chosen").getByRole("button", { name: "Why?" }).click();
      await page.locator(".why-answer h3", { hasText: "n" }).waitFor();
    },
    ".watch :is(input, button)": async (page) => {
      await tab(page, "RAM");
      const field = page.getByRole("textbox", { name: "Expression to watch" });
      for (const text of ["n + 1", "nothing"]) {
        await field.fill(text);
        await page.getByRole("button", { name: "Watch", exact: true }).click();
      }
      await page.locator(".watch output.wrong", { hasText: "nothing" }).waitFor();
      const value = page.locator(".watch li", { hasText: "n + 1" }).locator("output");
      const before = await value.innerText();
      await page.reload();
      await ready(page);
      await tab(page, "RAM");
      await page.locator(".watch li", { hasText: "n + 1" }).waitFor();
      for (let steps = 0; steps < 2; steps++) await forward(page);
      await page.waitForFunction((before) => document.querySelector(".watch output").textContent !== before, before);
      assert.equal(await value.innerText(), "6 ($06)");
      for (const text of ["n + 1", "nothing"]) await page.getByRole("button", { name: `Stop watching ${text}` }).click();
      await page.waitForFunction(() => document.querySelectorAll(".watch li").length === 0);
      await page.locator(".timeline .where").click();
      await page.getByRole("textbox", { name: "Cycle" }).fill("0");
      await page.keyboard.press("Enter");
      await atCycle(page, 0);
    },
    ".waves .toolbar :is(select, input, button), .wave-names button, .wave-svg": async (page) => {
      await tab(page, "Waves");
      await page.locator(".wave-svg").waitFor();
      await page.getByRole("combobox", { name: "How many cycles" }).selectOption("4");
      await page.locator(".wave-svg[aria-label^='The last 4 cycles']").waitFor();
      await page.getByRole("combobox", { name: "Add a net" }).selectOption("OUTE");
      await page.getByRole("button", { name: "Remove OUTE" }).click();
      await page.getByRole("textbox", { name: "Byte of RAM" }).fill("n");
      await page.getByRole("button", { name: "Add byte" }).click();
      await page.getByRole("button", { name: "Remove n", exact: true }).waitFor();
      await page.getByRole("button", { name: "As at first" }).click();
      await page.getByRole("button", { name: "Remove n", exact: true }).waitFor({ state: "detached" });
      await forward(page);
      await moved(page, () => page.locator(".wave-svg").click({ position: { x: 3, y: 80 } }));
    },
    ".why form :is(input, button), .why-answer :is(button, summary)": async (page) => {
      await tab(page, "Why?");
      await forward(page);
      await page.locator("#why-what").fill("A");
      await page.locator(".why form button").click();
      await page.locator(".why-answer h3", { hasText: /^A is/ }).waitFor();
      await page.locator(".why-answer summary").click();
      await page.locator(".why-answer details pre").waitFor();
      await moved(page, () => page.locator(".why-answer h4 .go").first().click());
    },
  },
  lessons: {
    ".lesson .toolbar select": async (page) => {
      await tab(page, "Lessons");
      await page.getByRole("combobox", { name: "Lesson" }).selectOption("2");
      await page.locator(".lesson-body h3", { hasText: "2." }).waitFor();
    },
    ".hand-in :is(summary, button, input)": async (page) => {
      await page.locator(".hand-in summary").click();
      for (const name of ["Save all answers", "Copy as a link", "Show as a QR code"]) {
        await page.locator(".hand-in [role=status]").evaluate((told) => (told.textContent = ""));
        await page.locator(".hand-in").getByRole("button", { name }).click();
        await page.locator(".hand-in .wrong", { hasText: "There is no answer yet." }).waitFor();
      }
      await Promise.all([page.waitForEvent("filechooser"), page.locator(".hand-in").getByRole("button", { name: /^Open/ }).click()]);
      await page.locator(".hand-in").getByLabel("Name").fill("Ada");
      await page.locator(".hand-in").getByLabel("Class").fill("7b");
      await page.locator(".hand-in").getByLabel("Class").press("Enter");
      await page.locator(".whose", { hasText: /Ada.*7b/ }).waitFor({ state: "attached" });
    },
    ".lesson-body > button": async (page) => {
      await page.locator(".lesson-body > button").click();
      await page.locator(".lesson-body h3", { hasText: "3." }).waitFor();
    },
    ".lesson-program button": async (page) => {
      for (let number = 1; number <= 8 && !(await page.locator(".lesson-program button").count()); number++) await page.getByRole("combobox", { name: "Lesson" }).selectOption(String(number));
      const name = await page.locator(".lesson-program figcaption span").first().innerText();
      await page.locator(".lesson-program button").first().click();
      await page.locator("#name", { hasText: name }).waitFor();
    },
    ".open-chip": async (page) => {
      await page.getByRole("combobox", { name: "Lesson" }).selectOption("3");
      await page.getByRole("button", { name: "Open PCL at $2003 here" }).first().click();
      await page.locator(".cell h4", { hasText: "$2003" }).waitFor();
      await tab(page, "Lessons");
    },
    ".exercise :is(button, textarea)": async (page) => {
      await page.getByRole("combobox", { name: "Lesson" }).selectOption("1");
      const [table, cells] = ["1.1", "1.2"].map((id) => page.getByRole("region", { name: `Exercise ${id}` }));
      await table.locator(".truth button").first().click();
      await table.getByRole("button", { name: "Check" }).click();
      await table.locator(".verdict.failed").waitFor();
      await cells.getByRole("textbox").fill("x");
      await cells.getByRole("button", { name: "From the start" }).click();
      assert.notEqual(await cells.getByRole("textbox").inputValue(), "x");
      await cells.getByRole("button", { name: "Run it on this board" }).click();
      await page.locator("#name", { hasText: "exercise-1.2" }).waitFor();
    },
  },
  bench: BENCH,
  transport: {
    "#run": async (page) => {
      await page.locator("#speed").press("Home"); // one phase per second
      await runButton(page).click();
      await page.locator("#run", { hasText: "Pause" }).waitFor();
      await runButton(page).click();
      await standing(page);
    },
    "#speed": (page) => changes(page, "document.querySelector('#speed').getAttribute('aria-valuetext')", () => page.locator("#speed").press("ArrowRight")),
    "#steps button": async (page) => {
      await openFile(page, "steps.g1", `${PROGRAM.replace("halt:", "      lda  #'\\n'\n      sta  OUT\nhalt:")}`);
      await atCycle(page, 0);
      const names = await page.locator("#steps button").evaluateAll((steps) => steps.map((step) => step.getAttribute("aria-label")));
      assert.equal(names.length, 12);
      const press = (name) => moved(page, () => page.locator(`#steps [aria-label="${name}"]`).click());
      for (const name of names.filter((name) => name.startsWith("Forward"))) await press(name);
      for (const name of names.filter((name) => name.startsWith("Back"))) await press(name);
      await press("To the end of the known run");
      await press("To the beginning of the run");
      await atCycle(page, 0);
    },
    ".timeline .where": async (page) => {
      await page.locator(".timeline .where").click();
      await page.getByRole("textbox", { name: "Cycle" }).fill("x");
      await page.keyboard.press("Enter");
      await page.locator("#question-dialog").getByText("whole number").waitFor();
      await page.getByRole("textbox", { name: "Cycle" }).fill("3");
      await page.keyboard.press("Enter");
      await atCycle(page, 3);
    },
    ".track": (page) => moved(page, () => page.locator(".track").press("ArrowRight")),
    ".timeline .end": async (page) => {
      await page.locator(".timeline .end").click();
      await page.locator(".timeline .end", { hasText: "halts at" }).waitFor();
    },
    "#bar button": async (page) => {
      await page.setViewportSize({ width: 360, height: 640 });
      for (const [view, place] of [["Source", "#source"], ["Inside", "#inside"], ["LEDs", "#panel"]]) {
        await showView(page, view);
        await page.locator(place).waitFor();
      }
    },
  },
};

const known = Object.values(PLACES).flatMap((rows) => Object.keys(rows));

/** Adds the rows that match a control of the page as it is now to `found`. Each control must match exactly one row. */
async function look(page, found) {
  // Long work shows a button of its own while it lasts.
  await page.locator("#busy").waitFor({ state: "hidden" });
  return page
    .evaluate(
      ([controls, known]) => {
        const rows = [...document.querySelectorAll(controls)].map((control) => [control.outerHTML.slice(0, 160), known.filter((selector) => control.matches(selector))]);
        return { met: [...new Set(rows.flatMap(([, selectors]) => selectors))], strange: rows.filter(([, selectors]) => selectors.length !== 1) };
      },
      [CONTROLS, known],
    )
    .then(({ met, strange }) => {
      for (const selector of met) found.add(selector);
      assert.deepEqual(strange, [], "controls that match no row, or several");
    });
}

for (const [place, rows] of Object.entries(PLACES)) {
  test(`every control works: ${place}`, async () => {
    await withPage(async (page) => {
      await openFile(page, "mine.g1", PROGRAM);
      for (const [selector, effect] of Object.entries(rows)) {
        await effect(page).catch((error) => assert.fail(`${selector}: ${error.message}`));
        await look(page, new Set());
      }
    });
  });
}

test("the table has a row for every control, and every row has a control", async () => {
  await withPage(async (page) => {
    const found = new Set();
    const seen = () => look(page, found);
    await openFile(page, "uses.g1", '      .include "lib/logic.g1"\n      not\nhalt: jmp  halt\n');
    await page.locator("#included .cm-running").waitFor();
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("F9");
    await page.keyboard.press("Control+f");
    await page.locator("#link").click();
    await page.locator("#banner button").waitFor();
    await seen();
    await openFile(page, "wrong.g1", WRONG);
    await page.locator("#problems .code").waitFor();
    await seen();
    await openFile(page, "mine.g1", PROGRAM);
    for (const opener of ["#help", "#options", ".where"]) {
      await page.locator(opener).click();
      await seen();
      await page.keyboard.press("Escape");
    }
    for (const [name, there] of [["Chip", ".cell input"], ["RAM", ".ram-table button"], ["Waves", ".wave-svg"]]) {
      await tab(page, name);
      if (name === "Chip") await page.getByRole("combobox", { name: "Chip" }).selectOption("XMUX");
      await page.locator(there).first().waitFor();
      await seen();
    }
    await page.locator("#tour").click();
    await led(page, 1, 1).click();
    await page.locator("#changes button").waitFor();
    await seen();
    await page.keyboard.press("Escape");
    await tab(page, "Why?");
    await page.locator("#why-what").fill("A");
    await page.keyboard.press("Enter");
    await page.locator(".why-answer h3").waitFor();
    await seen();
    await page.locator("#counts").click();
    await page.locator("#calls summary").click();
    await page.locator("#calls button").first().waitFor();
    await seen();
    await tab(page, "Lessons");
    for (let number = 1; number <= 9; number++) {
      await page.getByRole("combobox", { name: "Lesson" }).selectOption(String(number));
      await page.locator(".lesson-body h3", { hasText: `${number}.` }).waitFor();
      await seen();
    }
    await tab(page, "Bench");
    await page.locator("[data-focus=data-0-0]").click();
    await page.locator(".bench-tools").getByRole("button", { name: "Check" }).click();
    await page.locator(".bench-board .verdict button").waitFor();
    await seen();
    assert.deepEqual(known.filter((selector) => !found.has(selector)), [], "rows without a control");
  });
});
