// The panes inside the machine while it runs: values of cables and buses, bytes of RAM as waves, files of the library.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, openFile, runButton, setSpeed, standing, withPage } from "./browser.mjs";

const PROGRAM = `.ram  n
.ram  list, 3
      lda  #7
      sta  list+1
      sta  n
halt: jmp  halt
`;

const forward = (page, unit) => page.getByRole("button", { name: `Forward one ${unit}` }).click();

/** The waves by name: where they change, and their values. */
const waves = (page) =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll(".wave-names button")].map((button) => button.textContent);
    const lanes = [...document.querySelectorAll(".wave-svg .lane")].map((lane) => [...lane.querySelectorAll("title, .head")].map((title) => title.textContent));
    return Object.fromEntries(names.map((name, index) => [name, lanes[index]]));
  });

test("bytes of RAM are shown as waves, by name, element or address, and anything else is refused", async () => {
  await withPage(async (page) => {
    await openFile(page, "mine.g1", PROGRAM);
    for (let cycle = 1; cycle <= 3; cycle++) {
      await forward(page, "instruction");
      await atCycle(page, cycle);
    }
    await page.getByRole("tab", { name: "Waves" }).click();
    const choice = page.getByRole("combobox", { name: "Add a net, a bus or a byte" });
    await choice.selectOption({ label: "n" });
    await choice.selectOption({ label: "list: 3 bytes" });
    await page.getByRole("button", { name: "Remove list[2]" }).waitFor();
    const byte = page.getByRole("textbox", { name: "Byte of RAM" });
    const add = async (text) => {
      await byte.fill(text);
      await page.getByRole("button", { name: "Add byte" }).click();
    };
    await add("$001");
    await page.getByRole("button", { name: "Remove $001" }).waitFor();
    await add("nothing");
    await page.locator(".tab-panel.waves .wrong", { hasText: "nothing" }).waitFor();
    await add("n"); // a byte that is already shown is not added again
    await page.waitForFunction((byte) => byte.value === "", await byte.elementHandle());
    assert.equal(await page.getByRole("button", { name: "Remove n", exact: true }).count(), 1);
    const shown = await waves(page);
    const last = (name) => shown[name].at(-1);
    assert.deepEqual([last("n"), last("list[1]")], ["n = 07", "list[1] = 07"]);
    assert.deepEqual(shown["$001"].map((text) => text.replace("$001", "list[0]")), shown["list[0]"], "the same byte");
    assert.equal(shown["n"].length, 2);
    await page.getByRole("button", { name: "Remove n", exact: true }).click();
    await page.getByRole("button", { name: "Remove n", exact: true }).waitFor({ state: "detached" });
    // For a program without such a byte the page says so and keeps working.
    await openFile(page, "other.g1", "halt: jmp  halt\n");
    await page.locator(".wave-svg .lane", { hasText: "not in this program" }).first().waitFor();
    await page.getByRole("button", { name: "As at first" }).click();
    await page.getByRole("button", { name: "Remove list[1]" }).waitFor({ state: "detached" });
  });
});

test("cables and buses show their values, and those that changed are marked", async () => {
  await withPage(async (page) => {
    await openFile(page, "mine.g1", PROGRAM);
    await page.getByRole("tab", { name: "Board" }).click();
    const bus = (name) => page.locator(".buses div", { has: page.locator(`dt:text-is("${name}")`) }).locator("dd");
    await forward(page, "instruction");
    await atCycle(page, 1);
    await bus("A").filter({ hasText: "07" }).waitFor();
    await page.locator(".buses dd.moved").first().waitFor();
    const cable = page.locator(".wire", { hasText: "XMUX → ALUL: X0-3" }).or(page.locator(".wire", { hasText: /^.*XMUX → ALUL/ })).first();
    const [value, title] = await cable.evaluate((wire) => [wire.querySelector("text").textContent, wire.querySelector("title").textContent]);
    assert.match(title, new RegExp(`= ${value}$`));
    // Each cable shows a number. Those that changed in the last phase are marked.
    const count = (selector) => page.locator(selector).count();
    assert.equal(await page.locator(".wire-value").evaluateAll((values) => values.filter((value) => !/^[0-9A-F]+$/.test(value.textContent)).length), 0);
    assert.ok((await count(".wire.moved")) > 0 && (await count(".wire.moved")) < (await count(".wire")));
    const before = await page.locator(".wire-value").allTextContents();
    await forward(page, "phase");
    await atCycle(page, 1, 1);
    await page.waitForFunction((before) => [...document.querySelectorAll(".wire-value")].map((value) => value.textContent).join() !== before, before.join());
    const after = await page.locator(".wire").evaluateAll((wires) => wires.map((wire) => [wire.querySelector("title").textContent, wire.classList.contains("moved")]));
    assert.ok(after.some(([, hasMoved]) => hasMoved));
    const larger = page.getByRole("button", { name: "Larger" });
    const width = () => page.locator(".board-svg").evaluate((board) => board.getBoundingClientRect().width);
    const small = await width();
    await larger.click();
    assert.ok((await width()) > 1.5 * small);
  });
});

const INCLUDES = `      .include "lib/logic.g1"
.ram  n
      lda  #6
      sta  n
      and  n
      sta  OUT
halt: jmp  halt
`;

test("a step into the library shows its file read-only, and so does a cause", async () => {
  await withPage(async (page) => {
    await openFile(page, "mine.g1", INCLUDES);
    const file = page.getByRole("region", { name: "Included file" });
    for (let cycle = 1; cycle <= 2; cycle++) {
      await forward(page, "line");
      await atCycle(page, cycle);
    }
    await file.getByText("lib/logic.g1").waitFor();
    await file.locator(".cm-running").waitFor();
    await page.locator("#editor .cm-running", { hasText: "and  n" }).waitFor();
    const text = file.locator(".cm-content");
    await file.locator(".cm-running").click();
    await page.keyboard.type("xyzzy");
    assert.ok(!(await text.innerText()).includes("x" + "y"), "it cannot be changed");
    await file.getByRole("button", { name: "Close the included file" }).click();
    await forward(page, "line");
    await atCycle(page, 3);
    await file.waitFor({ state: "hidden" });
    await setSpeed(page, "max");
    await runButton(page).click();
    await standing(page);
    await file.waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Why?" }).click();
    await page.getByRole("textbox", { name: "What to explain" }).fill("OUT");
    await page.keyboard.press("Enter");
    await page.locator(".why-answer").getByRole("button", { name: /^lib\/logic\.g1:\d+$/ }).first().click();
    await file.getByText("lib/logic.g1").waitFor();
    // An included file of the program is shown likewise, and hidden again when the run is back in the main file.
    await page.locator("#file").setInputFiles([
      { name: "main.g1", mimeType: "text/plain", buffer: Buffer.from('      .include "more.g1"\n      twice\nhalt: jmp  halt\n') },
      { name: "more.g1", mimeType: "text/plain", buffer: Buffer.from(".macro twice\n      add  #1 ; mine\n      add  #1\n.endmacro\n") },
    ]);
    await page.locator("#name", { hasText: "main.g1" }).waitFor();
    await file.getByText("more.g1").waitFor();
    await file.locator(".cm-running", { hasText: "; mine" }).waitFor();
    // Its lines are counted too, and a click on a count leads there.
    await page.getByRole("button", { name: "Counts" }).click();
    await forward(page, "line");
    const counted = file.locator(".cm-counts span[title^='begun 1 time; 1 cycle, 100.0 %']");
    await counted.waitFor();
    assert.deepEqual(await file.locator(".cm-never").allInnerTexts(), ["      add  #1"]);
    assert.equal(await counted.evaluate((span) => span.style.getPropertyValue("--heat")), "100%");
    await counted.click();
    await atCycle(page, 0);
    await page.getByRole("button", { name: "Counts" }).click();
    await counted.waitFor({ state: "detached" });
    await forward(page, "line");
    await forward(page, "line");
    await atCycle(page, 2);
    await file.waitFor({ state: "hidden" });
  });
});

test("the board shows how often each chip has changed", async () => {
  await withPage(async (page) => {
    await openFile(page, "mine.g1", PROGRAM.replace("list+1", "GREEN+2"));
    await page.getByRole("tab", { name: "Board" }).click();
    const block = (name) => page.locator(".block.chip", { hasText: name }).first();
    const before = await block("PMUX").locator(".value").textContent();
    await page.getByRole("button", { name: "Changes" }).click();
    await block("PMUX").locator(".value", { hasText: /^0×$/ }).waitFor();
    for (let cycle = 1; cycle <= 2; cycle++) {
      await forward(page, "instruction");
      await atCycle(page, cycle);
    }
    await page.locator(".block", { hasText: "PMUX has changed in 0 of the last 8 phases" }).waitFor();
    const counts = await page.locator(".block.chip .value").allTextContents();
    assert.ok(counts.every((text) => /^[0-8]×$/.test(text)), counts.join(" "));
    assert.ok(counts.some((text) => text !== "0×") && counts.includes("0×"), counts.join(" "));
    assert.ok(await page.locator(".heat .block.chip").count());
    // A block of several chips tells of each, and shows the largest count.
    const rows = page.locator(".block", { hasText: "GREEN1 has changed in 0, GREEN2 has changed in 1," });
    assert.equal(await rows.locator(".value").textContent(), "1×");
    await page.getByRole("button", { name: "Changes" }).click();
    await page.waitForFunction(() => [...document.querySelectorAll(".block.chip .value")].every((value) => !value.textContent.includes("×")));
    assert.ok(before.length > 0);
  });
});
