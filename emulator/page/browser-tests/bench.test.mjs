// The bench: levels are passed through the interface, with a mouse, with the keyboard alone and with touch; what is wrong is
// shown; boards leave the page as files and links, and come back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT, cycle, runButton, saved, showView, standing, withPage, withProfile } from "./browser.mjs";

/** Opens a level. */
async function level(page, number) {
  await showView(page, "Inside");
  await page.getByRole("tab", { name: "Bench" }).click();
  await page.locator(`[data-focus=level-${number}]`).click();
  await page.locator(".bench-text h3", { hasText: new RegExp(`^${number}\\.`) }).waitFor();
  await page.locator(".bench-sheet").waitFor();
}

const at = (page, key) => page.locator(`.bench [data-focus="${key}"]`);
const pass = async (page, stars) => {
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator(".bench-board .verdict.passed", { hasText: `Passed ${"★".repeat(stars)}` }).waitFor();
};
const text = (page) => page.getByRole("textbox", { name: "The board as a text", includeHidden: true }).inputValue();
/** Waits until the text of the board contains this. */
const holds = (page, words) => page.waitForFunction((words) => document.querySelector(".bench-source textarea").value.includes(words), words);

test("level 1 with the mouse: a wrong board is shown, its cells are changed, and the map remembers", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await level(page, 1);
    assert.equal(await page.locator(".bench-map li").count(), 20);
    await page.getByRole("button", { name: "Check" }).click();
    await page.locator(".verdict.failed", { hasText: "For A = 1 and B = 0 your board shows Q = 0, expected 1." }).waitFor();
    await page.getByRole("button", { name: "Show me" }).click();
    await at(page, "flip-A").and(page.locator("[aria-pressed=true]")).waitFor();
    assert.equal(await page.locator(".bench-own tr.now").innerText(), "1\t0\t0");
    for (const cell of [1, 2]) {
      await at(page, `cell-${cell}-0`).click();
      await at(page, `cell-${cell}-0`).and(page.locator(".one")).waitFor();
    }
    await page.locator(".bench-pin.of-lamp.high").waitFor();
    await pass(page, 3);
    await page.getByRole("button", { name: "Next level: An adder of two bits" }).click();
    await page.locator(".bench-text h3", { hasText: /^2\./ }).waitFor();
    await page.reload();
    await page.locator("[data-focus=level-1].passed", { hasText: "★★★" }).waitFor();
    await page.locator("[data-focus=level-1]").click();
    await holds(page, "Cells([0, 1, 1, 0])");
  });
});

for (const viewport of [{ width: 1280, height: 720 }, { width: 1366, height: 768 }]) {
  test(`the goal stands beside the board, and wrong rows are marked, at ${viewport.width} x ${viewport.height}`, async () => {
    await withPage(async (page) => {
      await level(page, 2);
      const wrong = page.locator(".bench-goal tr.wrong");
      await wrong.nth(14).waitFor(); // all but the first row
      for (const part of [".bench-task", ".bench-sheet", ".bench-goal"]) {
        const { y, height } = await page.locator(part).boundingBox();
        assert.ok(y >= 0 && y + height <= viewport.height, `${part} is visible as a whole`);
      }
      await at(page, "chip-formulas").fill("S = A");
      await at(page, "chip-formulas").blur();
      await page.locator(".bench-goal", { hasText: "Right: 4 of 16." }).waitFor();
      await at(page, "chip-formulas").fill("S = A + B");
      await at(page, "chip-formulas").blur();
      await wrong.first().waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Add a chip" }).click();
      await page.locator(".bench-limits .wrong", { hasText: "at most 1 chip: here 2" }).waitFor();
      // A demand on a move concerns the settings that one move of a switch leads to.
      await level(page, 4);
      await at(page, "flip-SET").click();
      await page.locator(".bench-goal tr.wrong", { hasText: /^0001✗$/ }).waitFor();
      await level(page, 7);
      await page.locator(".bench-goal tr.right", { hasText: /^11010✓$/ }).waitFor();
      // Demands that no table can show are listed.
      await level(page, 11);
      await page.locator(".bench-goal li", { hasText: "each beat of P1 P2: Q becomes Q + 1" }).waitFor();
    }, { viewport });
  });
}

test("a board that passes is shown at work, until the user does something; with reduced motion it rests", async () => {
  const pass1 = async (page) => {
    await level(page, 1);
    // Record the settings of the switches that are shown.
    await page.evaluate(() => {
      window.shown = new Set();
      const record = () => window.shown.add(document.querySelector(".bench-goal .now").textContent.slice(0, 2));
      new MutationObserver(record).observe(document.querySelector(".bench-goal"), { childList: true });
    });
    for (const cell of [1, 2]) {
      await at(page, `cell-${cell}-0`).click();
      await at(page, `cell-${cell}-0`).and(page.locator(".one")).waitFor();
    }
    await pass(page, 3);
    await page.locator(".bench-conclusion", { hasText: "sixteen gates" }).waitFor();
  };
  await withPage(async (page) => {
    await pass1(page);
    const place = page.locator(".bench-place", { hasText: "at work" });
    await place.waitFor();
    await page.waitForFunction(() => window.shown.size === 4);
    await at(page, "flip-A").click();
    await place.waitFor({ state: "detached" });
  });
  await withPage(async (page) => {
    await pass1(page);
    assert.equal(await page.locator(".bench-place").innerText(), "");
    await at(page, "flip-A").and(page.locator("[aria-pressed=false]")).waitFor();
  }, { reducedMotion: "reduce" });
});

test("stars belong to the board that passed: it is kept beside the present one, and is handed in", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await level(page, 1);
    const source = page.getByRole("textbox", { name: "The board as a text", includeHidden: true });
    const wrong = await text(page);
    const right = wrong.replace("Cells([0, 0, 0, 0])", "Cells([0, 1, 1, 0])");
    assert.notEqual(right, wrong);
    const write = (board) => source.evaluate((area, board) => {
      area.value = board;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, board);
    await write(right);
    await pass(page, 3);
    await write(wrong);
    await page.locator(".verdict", { hasText: "The board that passed is kept" }).waitFor();
    await page.getByRole("button", { name: "Check" }).click();
    await page.locator(".verdict.failed").waitFor();
    await page.reload();
    await page.locator("[data-focus=level-1].passed", { hasText: "★★★" }).waitFor();
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("gray1.attempts"))["level-1"]);
    assert.deepEqual(kept, { text: wrong, right, stars: 3 });
    await page.getByRole("tab", { name: "Lessons" }).click();
    await page.getByText("Hand in, or open answers and lessons").click();
    await page.locator(".hand-in").getByLabel("Name").fill("Ada");
    const file = await saved(page, () => page.getByRole("button", { name: "Save all answers" }).first().click());
    assert.equal(JSON.parse(file.bytes.toString()).answers["level-1"], right);
  });
});

test("level 2 with the keyboard alone", async () => {
  await withPage(async (page) => {
    await page.getByRole("tab", { name: "Bench" }).focus();
    await page.keyboard.press("Enter");
    await at(page, "level-2").waitFor();
    const tab = async (key) => {
      for (let steps = 0; steps < 200; steps++) {
        if ((await page.evaluate(() => document.activeElement?.dataset.focus)) === key) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`${key} is not reached by Tab`);
    };
    // Of the tools above, those that the bench does not need are hidden; the others are reached.
    for (let steps = 0; steps < 60 && (await page.evaluate(() => document.activeElement.id)) !== "link"; steps++) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "link");
    await tab("level-1");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".bench-text h3", { hasText: /^2\./ }).waitFor();
    await page.locator(".bench-sheet").waitFor();
    await tab("flip-A0");
    await page.keyboard.press("Space");
    await at(page, "flip-A0").and(page.locator("[aria-pressed=true]")).waitFor();
    // Arrow keys lead from pin to pin.
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.focus), "switch-A0");
    await tab("chip-formulas");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("S = A + B");
    await page.keyboard.press("Tab");
    await holds(page, 'Formula(["S = A + B"])');
    await page.locator(".bench-pin.of-lamp.high", { hasText: "S0" }).waitFor();
    await page.locator(".bench-tools").getByRole("button", { name: "Check" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".verdict.passed", { hasText: "★★★" }).waitFor();
  });
});

test("level 4 with touch on a phone: chips are placed, wired and filled", async () => {
  await withPage(
    async (page) => {
      await level(page, 4);
      await page.getByRole("button", { name: "To your board" }).tap();
      await page.waitForFunction(() => document.querySelector(".bench-task").getBoundingClientRect().top < 200);
      await page.getByRole("button", { name: "Add a chip" }).tap();
      await page.locator(".bench-limits .wrong").waitFor();
      await page.getByRole("button", { name: "Remove this chip" }).tap();
      await page.locator(".bench-limits .wrong").waitFor({ state: "detached" });
      await at(page, "address-0-2").tap();
      await at(page, "data-0-0").tap();
      await holds(page, 'address: "SET RESET Q"');
      await at(page, "chip-formulas").fill("Q = !RESET & (SET | Q)");
      await at(page, "chip-formulas").blur();
      await holds(page, "!RESET & (SET | Q)");
      await at(page, "flip-SET").tap();
      await at(page, "flip-SET").and(page.locator("[aria-pressed=true]")).waitFor();
      await at(page, "flip-SET").tap();
      await at(page, "flip-SET").and(page.locator("[aria-pressed=false]")).waitFor();
      await page.locator(".bench-pin.of-lamp.high").waitFor(); // it remembers
      await at(page, "lamp-Q").tap();
      await page.locator(".bench-why", { hasText: "Q is 1, because ALARM looks up cell 4, and Q is 1 there." }).waitFor();
      await pass(page, 3);
      const { scrollWidth, clientWidth } = await page.locator("#pane-bench").evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
      assert.ok(scrollWidth <= clientWidth, "nothing is cut off on the right");
    },
    { viewport: { width: 360, height: 640 }, hasTouch: true },
  );
});

test("chips are added, wired by names and by pins, and taken away; Undo and Redo lead through it all", async () => {
  await withPage(async (page) => {
    await level(page, 1);
    const first = await text(page);
    await page.getByRole("button", { name: "Add a chip" }).click();
    await holds(page, "CHIP1");
    await at(page, "chip-name").fill("NOT");
    await at(page, "chip-name").press("Enter");
    await holds(page, 'name: "NOT"');
    // A new data line gets a name when it is joined; that is one step.
    await at(page, "data-1-1").click();
    await at(page, "address-0-2").click();
    await holds(page, 'address: "A B N2"');
    await page.locator(".bench-own h4", { hasText: "Chip STAIRS" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await holds(page, 'address: "A B",');
    // A data line to an address line.
    await at(page, "data-1-0").click();
    await at(page, "address-0-0").click();
    await holds(page, 'name: "STAIRS", part: "27C64", address: "N1 B"');
    await at(page, "address-0-0").click();
    await page.getByRole("textbox", { name: "Net on this line" }).fill("A");
    await page.getByRole("button", { name: "Connect" }).click();
    await holds(page, 'name: "STAIRS", part: "27C64", address: "A B"');
    await at(page, "chip-1").click();
    await page.getByRole("button", { name: "Remove this chip" }).click();
    await page.waitForFunction((first) => document.querySelector(".bench-source textarea").value === first, first);
    for (let undone = 0; undone < 5; undone++) await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelector("[data-focus=undo]").disabled);
    assert.equal(await text(page), first);
    await page.getByRole("button", { name: "Redo" }).click();
    await holds(page, "CHIP1");
    await at(page, "chip-0").focus();
    await page.keyboard.press("Control+z");
    await page.waitForFunction((first) => document.querySelector(".bench-source textarea").value === first, first);
  });
});

test("the text of a board is another view of it, and a mistake in it leaves the picture", async () => {
  await withPage(async (page) => {
    await level(page, 1);
    await page.locator(".bench-source summary").click();
    const source = page.getByRole("textbox", { name: "The board as a text" });
    const first = await source.inputValue();
    await source.fill(first.replace("STAIRS", "LIGHT"));
    await page.locator(".bench-name", { hasText: "LIGHT" }).waitFor();
    await source.fill(first.replace("chips: [", "chips: "));
    await page.locator(".bench-fault", { hasText: "line" }).waitFor();
    await page.locator(".bench-name", { hasText: "LIGHT" }).waitFor();
    await source.fill(first.replace('address: "A B"', 'address: "A C"'));
    await page.locator(".bench-fault", { hasText: "net C" }).waitFor();
    assert.equal(await page.locator(".bench-goal td.wanted").count(), 4); // the goal stays
    await page.locator(".bench-name", { hasText: "STAIRS" }).waitFor();
  });
});

test("a level with phases is stepped, and its memory follows", async () => {
  await withPage(async (page) => {
    await level(page, 15);
    // The first word of the program is 3.
    for (const line of ["W0", "W1"]) await at(page, `flip-${line}`).and(page.locator("[aria-pressed=true]")).waitFor();
    const up = page.locator(".bench-flip[aria-pressed=true]", { hasText: /^P/ });
    const step = page.getByRole("button", { name: "Step" });
    const seen = [];
    for (let phase = 0; phase < 4; phase++) {
      await step.click();
      if (phase % 2 === 0) {
        await up.waitFor();
        seen.push(await up.getAttribute("data-focus"));
      } else await up.waitFor({ state: "detached" });
    }
    assert.deepEqual(seen, ["flip-P1", "flip-P2"]);
  });
});

test("an order in which a latch forgets is played slowly, and a chip sees its old level until a line has reached it", async () => {
  await withPage(async (page) => {
    await level(page, 6);
    await page.getByRole("button", { name: "Check" }).click();
    await page.locator(".verdict.failed pre", { hasText: "reaches" }).waitFor();
    const play = page.getByRole("button", { name: /^Play order \d slowly$/ });
    assert.equal(await play.count(), 2);
    const ends = [];
    for (const number of [0, 1]) {
      await play.nth(number).click();
      const place = page.locator(".bench-place");
      await place.filter({ hasText: /^1 of \d+: / }).waitFor();
      await page.locator(".bench-pin.reached").waitFor();
      const last = (await place.innerText()).match(/of (\d+)/)[1];
      await place.filter({ hasText: `${last} of ${last}: ` }).waitFor();
      ends.push(await page.locator(".bench-pin.of-lamp").allInnerTexts());
    }
    assert.notDeepEqual(ends[0], ends[1]);
    // Whatever is done next ends it.
    await play.first().click();
    await page.locator(".bench-pin.reached").waitFor();
    await page.getByRole("button", { name: "Show me" }).click();
    await page.locator(".bench-pin.reached").waitFor({ state: "detached" });
  });
});

test("a whole CPU of one's own passes, runs the queens with the LEDs, and leaves as a board", async () => {
  await withPage(async (page) => {
    await level(page, 20);
    await holds(page, 'name: "level 20"');
    await page.locator(".bench-source summary").click();
    const source = page.getByRole("textbox", { name: "The board as a text" });
    const answers = readFileSync(join(ROOT, "emulator/lessons/tests/levels/20.ron"), "utf8");
    const chips = answers.split(/^\/\/ right: .*$/m)[2].split("// wrong: ")[0];
    await source.fill((await source.inputValue()).replace(/chips: \[\n[^]*?\n {4}\],\n/, `chips: [${chips}    ],\n`));
    await page.waitForFunction(() => document.querySelectorAll(".bench-name").length === 11);
    await pass(page, 3);
    const file = await saved(page, () => page.getByRole("button", { name: "Save the whole board" }).click());
    assert.equal(file.name, "gray1-mine.ron");
    assert.ok(file.bytes.toString().includes('name: "GREEN7"'));
    await page.getByRole("button", { name: "Run queens.g1 on it" }).click();
    await page.locator("#changes", { hasText: "chips of your own" }).waitFor();
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > 5000);
    await runButton(page).click();
    await standing(page);
    assert.ok((await cycle(page)) > 5000);
    await page.getByRole("tab", { name: "Board" }).click();
    const decoder = page.locator(".board-svg .name", { hasText: /^DEC$/ });
    await page.locator(".board-svg .name", { hasText: "FLAGS" }).waitFor();
    assert.equal(await decoder.count(), 0); // FLAGS does its work
    await page.getByRole("button", { name: "Back to the Gray-1" }).click();
    await page.locator("#changes", { hasText: "chips of your own" }).waitFor({ state: "hidden" });
    await decoder.waitFor();
  });
});

test("a board leaves as a file and as a link, and comes back; one's own is behind Undo", async () => {
  await withProfile({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ open, context }) => {
    const page = await open();
    await level(page, 1);
    await at(page, "cell-1-0").click();
    await holds(page, "[0, 1, 0, 0]");
    const file = await saved(page, () => page.locator(".bench-tools").getByRole("button", { name: "Save" }).click());
    assert.equal(file.name, "level-1.ron");
    assert.equal(file.bytes.toString(), await text(page));
    await page.locator("#link").click();
    await page.locator("#banner", { hasText: "link" }).waitFor();
    const address = page.url();
    await page.getByRole("button", { name: "From the start" }).click();
    await holds(page, "[0, 0, 0, 0]");
    await page.locator(".bench-tools input[type=file]").setInputFiles({ name: "mine.ron", mimeType: "text/plain", buffer: file.bytes });
    await holds(page, "[0, 1, 0, 0]");
    await page.getByRole("button", { name: "Undo" }).click();
    await holds(page, "[0, 0, 0, 0]");
    const other = await context.newPage();
    await other.goto(address);
    await other.locator(".bench-sheet").waitFor();
    await holds(other, "[0, 1, 0, 0]");
    await other.getByRole("button", { name: "Undo" }).click();
    await holds(other, "[0, 0, 0, 0]");
  });
});
