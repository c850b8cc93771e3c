// Moving through a run: steps in both directions, the time line, breakpoints, an endless program.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, cycle, moved, openFile, runButton, setSpeed, standing, withPage } from "./browser.mjs";

const ENDLESS = `; It never ends.
.ram  n
      lda  #0
      sta  n
loop: lda  n
      add  #1
      sta  n
      sta  GREEN
      jmp  loop
`;

const LINES = `; Two lines of output.
      lda  #'1'
      sta  OUT
      lda  #'\\n'
      sta  OUT
      lda  #'2'
      sta  OUT
      lda  #'\\n'
      sta  OUT
halt: jmp  halt
`;

const step = (page, way, unit) => page.getByRole("button", { name: `${way} one ${unit}` }).click();

test("steps by phase, instruction and line, forward and back", async () => {
  await withPage(async (page) => {
    await openFile(page, "endless.g1", ENDLESS);
    await step(page, "Forward", "phase");
    await atCycle(page, 0, 1);
    await step(page, "Forward", "phase");
    await atCycle(page, 0, 2);
    await step(page, "Back", "phase");
    await atCycle(page, 0, 1);
    await step(page, "Forward", "instruction");
    await atCycle(page, 1);
    await step(page, "Forward", "line");
    await atCycle(page, 2);
    await step(page, "Back", "line");
    await atCycle(page, 1);
    await step(page, "Back", "instruction");
    await atCycle(page, 0);
    await step(page, "Back", "instruction"); // nothing comes before the beginning
    await atCycle(page, 0);
  });
});

test("a step back restores registers, RAM and output", async () => {
  await withPage(async (page) => {
    await openFile(page, "lines.g1", LINES);
    await page.getByRole("tab", { name: "RAM" }).click();
    for (let steps = 0; steps < 4; steps++) {
      await step(page, "Forward", "instruction");
      await atCycle(page, steps + 1);
    }
    const before = await page.locator("#registers").innerText();
    assert.equal(await page.locator("#output").innerText(), "1\n");
    await step(page, "Forward", "instruction");
    await atCycle(page, 5);
    assert.notEqual(await page.locator("#registers").innerText(), before);
    await step(page, "Back", "instruction");
    await atCycle(page, 4);
    assert.equal(await page.locator("#registers").innerText(), before);
    await step(page, "Back", "instruction");
    await step(page, "Back", "instruction");
    await step(page, "Back", "instruction");
    await atCycle(page, 1);
    assert.equal(await page.locator("#output").innerText(), "");
  });
});

test("from solution to solution, and back", async () => {
  await withPage(async (page) => {
    const first = page.locator("#output", { hasText: /^15863724\s*$/ });
    await step(page, "Forward", "solution");
    await first.waitFor();
    const at = await cycle(page);
    await step(page, "Forward", "solution");
    await page.locator("#output", { hasText: "16837425" }).waitFor();
    await step(page, "Back", "solution");
    await first.waitFor();
    assert.equal(await cycle(page), at);
  });
});

test("no step is lost, however quickly they follow each other", async () => {
  await withPage(async (page) => {
    const press = (...labels) =>
      page.evaluate((labels) => {
        for (const label of labels) document.querySelector(`#steps [aria-label="${label}"]`).click();
      }, labels);
    await press("Forward one solution", "Forward one solution", "Forward one solution", "Back one solution");
    await page.locator("#output", { hasText: /^15863724\s+16837425\s*$/ }).waitFor();
    await standing(page);
    await page.waitForFunction(() => !document.querySelector("#output").textContent.includes("17468253"));
    const at = await cycle(page);
    await press(...Array(7).fill("Forward one instruction"), "Back one instruction", "Back one instruction", "Forward one phase");
    await atCycle(page, at + 5, 1);
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
  });
});

test("Run ahead finds the end of the run, past breakpoints, and the time line then covers all of it", async () => {
  await withPage(async (page) => {
    await page.locator(".cm-line", { hasText: /^queens = RED\b/ }).waitFor();
    await page.locator(".timeline .end").click();
    await page.locator(".timeline .end", { hasText: "halts at 63,407" }).waitFor();
    assert.match(await page.locator("#output").innerText(), /84136275\s+92\s*$/);
    const line = page.getByRole("slider", { name: "Time line" });
    const { x, y, width, height } = await line.boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForFunction(() => Math.abs(Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) - 31_703) < 500);
    assert.equal(await page.locator(".timeline .end").innerText(), "halts at 63,407");
    await openFile(page, "endless.g1", ENDLESS);
    await atCycle(page, 0);
    await page.locator("h1").click();
    await page.keyboard.press("Shift+End");
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuemax")) > 3_000_000);
    await runButton(page).click(); // Pause
    await standing(page);
    const end = await line.getAttribute("aria-valuemax");
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
    assert.equal(await line.getAttribute("aria-valuemax"), end);
    assert.equal(await page.locator(".timeline .end").isEnabled(), true);
  });
});

test("the time line goes to any cycle, by the pointer and by keys", async () => {
  await withPage(async (page) => {
    await setSpeed(page, "max");
    await runButton(page).click();
    await standing(page);
    const end = await cycle(page);
    const line = page.getByRole("slider", { name: "Time line" });
    const { x, y, width, height } = await line.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction((most) => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) < most, 0.27 * end);
    assert.ok((await cycle(page)) > 0.23 * end);
    await line.press("Home");
    await atCycle(page, 0);
    await line.press("ArrowRight");
    await atCycle(page, 1);
    await line.press("End");
    await atCycle(page, end);
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
    await page.getByRole("button", { name: "To the end" }).click();
    await atCycle(page, end);
  });
});

test("an endless program runs until it is paused, and the page responds meanwhile", async () => {
  await withPage(async (page) => {
    await openFile(page, "endless.g1", ENDLESS);
    await setSpeed(page, "max");
    await runButton(page).click();
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > 500_000);
    await page.getByRole("tab", { name: "Waves" }).click(); // while it runs
    await page.locator(".wave-svg .bus").first().waitFor();
    await runButton(page).click();
    await standing(page);
    const stopped = await cycle(page);
    await step(page, "Back", "instruction");
    await atCycle(page, stopped - 1);
  });
});

test("a breakpoint in the margin stops the run", async () => {
  await withPage(async (page) => {
    await openFile(page, "endless.g1", ENDLESS);
    const { x, width } = await page.locator(".cm-points").boundingBox();
    const line = await page.locator(".cm-line", { hasText: "add  #1" }).boundingBox();
    await page.mouse.click(x + width / 2, line.y + line.height / 2);
    await page.locator(".point").waitFor();
    await setSpeed(page, "max");
    await runButton(page).click();
    await atCycle(page, 3);
    await standing(page);
    await page.locator(".cm-running", { hasText: "add  #1" }).waitFor();
    await runButton(page).click();
    await atCycle(page, 8);
    await page.mouse.click(x + width / 2, line.y + line.height / 2);
    await page.locator(".point").waitFor({ state: "detached" });
    await runButton(page).click();
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > 1000);
    await runButton(page).click();
    await standing(page);
  });
});

test("the slowest speed is one phase a second", async () => {
  await withPage(async (page) => {
    await openFile(page, "endless.g1", ENDLESS);
    const slider = page.getByRole("slider", { name: "Speed" });
    await slider.press("Home");
    assert.equal(await slider.getAttribute("aria-valuetext"), "1 phase a second");
    await moved(page, () => runButton(page).click());
    await moved(page);
    await slider.press("ArrowRight");
    await slider.press("ArrowRight");
    assert.equal(await slider.getAttribute("aria-valuetext"), "1 instruction a second");
    await slider.press("End");
    assert.equal(await slider.getAttribute("aria-valuetext"), "as fast as it goes");
    await page.waitForFunction(() => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > 100_000);
    await runButton(page).click();
    await standing(page);
  });
});

test("a message from before a run does not end it", async () => {
  await withPage(async (page) => {
    await openFile(page, "endless.g1", ENDLESS);
    await setSpeed(page, 0);
    // The answer to the press of a key arrives when the run has already begun. It says that the machine is paused.
    await page.evaluate(() => {
      const run = document.querySelector("#run");
      window.texts = [];
      document.querySelector("#keys button").click();
      run.click();
      new MutationObserver(() => window.texts.push(run.textContent)).observe(run, { childList: true, characterData: true, subtree: true });
    });
    await moved(page);
    await moved(page);
    assert.deepEqual(await page.evaluate(() => window.texts), []);
    await runButton(page).click();
    await standing(page);
  });
});

test("Run loads the edited source, and its button reads Pause meanwhile", async () => {
  await withPage(async (page) => {
    await openFile(page, "endless.g1", ENDLESS);
    await setSpeed(page, 0);
    await step(page, "Forward", "instruction");
    await atCycle(page, 1);
    await page.locator(".cm-content").click();
    await page.keyboard.type("; edited ");
    await page.locator("#edited").waitFor();
    await page.evaluate(() => {
      const run = document.querySelector("#run");
      window.texts = [];
      new MutationObserver(() => window.texts.push(run.textContent)).observe(run, { childList: true, characterData: true, subtree: true });
      run.click();
    });
    await page.locator("#edited").waitFor({ state: "hidden" }); // the edited source is loaded
    await moved(page);
    assert.deepEqual(await page.evaluate(() => window.texts), ["Pause"]);
  });
});
