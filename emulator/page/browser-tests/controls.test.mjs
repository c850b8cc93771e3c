// What the panes of the machine, the help and the files to be saved contain, in detail. buttons.test.mjs tests that every
// control does something at all.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { atCycle, cycle, openFile, ready, runButton, saved, setSpeed, standing, withPage, withProfile } from "./browser.mjs";
import { native, withFolder } from "./native.mjs";

const PROGRAM = `.ram  n
      lda  #3
      sta  n
      sta  GREEN+2
      lda  #'7'
      sta  OUT
halt: jmp  halt
`;

/** A program that never halts. */
const COUNTS = `.ram  n
loop: lda  n
      add  #1
      sta  n
      jmp  loop
`;

test("the help lists the keys and the eight instructions", async () => {
  await withPage(async (page) => {
    await page.locator("#help").click();
    const help = page.getByRole("dialog", { name: "Help" });
    for (const word of ["LDA", "STA", "ADD", "NOR", "SHR", "JMP", "JC", "JZ"]) await help.getByText(word, { exact: true }).waitFor();
    await help.getByRole("button", { name: "Close" }).click();
    await help.waitFor({ state: "hidden" });
  });
});

test("a chip opens with its pins and its table, and the machine uses a cell that was changed", async () => {
  await withPage(async (page) => {
    await openFile(page, "mine.g1", PROGRAM);
    await page.getByRole("tab", { name: "Board" }).click();
    await page.locator(".block", { hasText: "ALUL" }).click();
    await page.getByRole("heading", { name: /^ALUL/ }).waitFor();
    assert.ok((await page.locator(".pins.reads .pin").count()) >= 12);
    await page.locator(".cells .now").waitFor();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
    await page.getByRole("button", { name: "To the beginning" }).click();
    await atCycle(page, 0);
    // The content of the program chips can be changed in the source only.
    await page.getByRole("combobox", { name: "Chip" }).selectOption("PROGL");
    await page.locator(".cell h4", { hasText: "$000 gives $03" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: /^New value of cell/ }).count(), 0);
    // This cell passes on the first constant. Once changed, it passes on another value.
    await page.getByRole("combobox", { name: "Chip" }).selectOption("XMUX");
    await page.locator(".cell h4", { hasText: "gives $03" }).waitFor();
    await page.getByRole("textbox", { name: /^New value of cell/ }).fill("$05");
    await page.getByRole("button", { name: "Burn" }).click();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await atCycle(page, 1);
    await page.locator("#registers", { hasText: "$05" }).waitFor();
    await page.getByRole("button", { name: "Undo all" }).click();
    await page.getByRole("button", { name: "To the beginning" }).click();
    await page.getByRole("button", { name: "Forward one instruction" }).click();
    await page.locator("#registers", { hasText: "$03" }).waitFor();
  });
});

test("RAM by name: the byte that was stored is marked, and a byte can be changed", async () => {
  await withPage(async (page) => {
    await openFile(page, "mine.g1", PROGRAM);
    await page.getByRole("tab", { name: "RAM" }).click();
    for (let at = 1; at <= 2; at++) {
      await page.getByRole("button", { name: "Forward one instruction" }).click();
      await atCycle(page, at);
    }
    const byte = page.locator(".ram-table button").first();
    await page.locator(".ram-table button", { hasText: "03" }).waitFor();
    await byte.click();
    await page.locator(".ram-hint", { hasText: "n is $03 = 3 = %00000011" }).waitFor();
    await page.getByRole("textbox", { name: "New value of the byte" }).fill("9");
    await page.getByRole("button", { name: "Change" }).click();
    await page.locator(".ram-hint", { hasText: "n is $09" }).waitFor();
    await page.getByRole("button", { name: "All bytes" }).click();
    await page.locator(".ram-table th", { hasText: "$FF0" }).waitFor();
    await page.locator(".ram-chosen").getByRole("button", { name: "Why?" }).click();
    await page.locator(".why-answer h3").waitFor();
  });
});

test("waves: nets can be added and removed, and a click goes to its moment", async () => {
  await withPage(async (page) => {
    await setSpeed(page, "max");
    await runButton(page).click();
    await standing(page);
    const end = await cycle(page);
    await page.getByRole("tab", { name: "Waves" }).click();
    await page.getByRole("combobox", { name: "Add a net, a bus or a byte" }).selectOption("OUTE");
    await page.getByRole("button", { name: "Remove OUTE" }).waitFor();
    await page.getByRole("button", { name: "Remove TICK" }).click();
    await page.getByRole("button", { name: "Remove TICK" }).waitFor({ state: "detached" });
    const picture = page.locator(".wave-svg");
    await picture.click({ position: { x: 60, y: 100 } });
    await page.waitForFunction((end) => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) < end, end);
  });
});

test("saved files equal those of the command line", async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, "mine.g1"), PROGRAM);
    await withPage(async (page) => {
      await openFile(page, "mine.g1", PROGRAM);
      for (let at = 1; at <= 4; at++) {
        await page.getByRole("button", { name: "Forward one instruction" }).click();
        await atCycle(page, at);
      }
      const save = async (item) => {
        await page.getByRole("button", { name: "Save" }).click();
        return saved(page, () => page.getByRole("menuitem", { name: item }).click());
      };
      const state = await save(/^State/);
      native(folder, ["run", "mine.g1", "--display", "none", "--max-cycles", "4", "--state-out", "state.ron"]);
      assert.equal(state.bytes.toString(), readFileSync(join(folder, "state.ron"), "utf8"));
      const listing = await save(/^Listing/);
      assert.equal(listing.bytes.toString().trimEnd(), native(folder, ["asm", "mine.g1", "--format", "listing"]).stdout.trimEnd());
      const starts = { Picture: "\x89PNG", Animation: "GIF89a", Image: "", Waveform: "" };
      for (const [item, start] of Object.entries(starts)) {
        const { name, bytes } = await save(new RegExp(`^${item}`));
        assert.ok(bytes.length > 20, name);
        assert.equal(bytes.subarray(0, start.length).toString("latin1"), start, name);
      }
      // The state can be opened again.
      await page.getByRole("button", { name: "To the beginning" }).click();
      await atCycle(page, 0);
      await page.locator("#file").setInputFiles({ name: "mine.ron", mimeType: "text/plain", buffer: state.bytes });
      await atCycle(page, 4);
    });
  });
});

for (const { tab, pressed, seen } of [
  { tab: "Chip", pressed: ".pins.reads .pin", seen: ".why-answer h3" },
  { tab: "RAM", pressed: ".ram-table button", seen: ".ram-hint:has-text('n is')" },
  { tab: "Waves", pressed: ".wave-names button:has-text('TICK')", seen: ".wave-names:not(:has-text('TICK'))" },
]) {
  test(`a button of the pane ${tab} works even if the pane is redrawn while it is held down`, async () => {
    await withPage(async (page) => {
      await openFile(page, "mine.g1", COUNTS);
      await page.getByRole("tab", { name: tab }).click();
      await runButton(page).click();
      // While the machine runs, buttons are replaced all the time by others in the same place, so a button that was found may
      // be gone already.
      let place = null;
      while (!place?.width) place = await page.locator(pressed).first().evaluate((button) => button.getBoundingClientRect().toJSON());
      await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
      await page.mouse.down();
      const at = await cycle(page);
      // Wait until the pane has been redrawn several times.
      for (let news = 0, last = at; news < 20; news++) {
        await page.waitForFunction((last) => Number(document.querySelector("#timeline [role=slider]").getAttribute("aria-valuenow")) > last, last);
        last = await cycle(page);
      }
      await page.mouse.up();
      await page.locator(seen).waitFor();
    });
  });
}

test("changed cells are kept after an edit, a reload and a link, until they are undone", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    const forward = page.getByRole("button", { name: "Forward one instruction" });
    const gives = (page, value) => page.locator("#registers", { hasText: value }).waitFor();
    await openFile(page, "mine.g1", PROGRAM);
    await page.getByRole("tab", { name: "Chip" }).click();
    await page.getByRole("combobox", { name: "Chip" }).selectOption("XMUX");
    await page.locator(".cell h4", { hasText: "gives $03" }).waitFor();
    await page.getByRole("textbox", { name: /^New value of cell/ }).fill("$05");
    await page.getByRole("button", { name: "Burn" }).click();
    await page.locator(".cell h4", { hasText: "gives $05" }).waitFor();
    // An edit starts a new run on the same board.
    await forward.click();
    await gives(page, "$05");
    await page.locator(".cm-content").click();
    await page.keyboard.type("; edited ");
    await page.locator("#edited").waitFor();
    await page.getByRole("button", { name: "To the beginning" }).click();
    await page.locator("#edited").waitFor({ state: "hidden" });
    await atCycle(page, 0);
    await forward.click();
    await atCycle(page, 1);
    await gives(page, "$05");
    // The program was loaded again with the changed cells. They can still be undone, and changed anew.
    await page.getByRole("button", { name: "Undo all" }).click();
    await page.getByRole("button", { name: "To the beginning" }).click();
    await page.locator(".cell h4", { hasText: "gives $03" }).waitFor();
    await page.getByRole("textbox", { name: /^New value of cell/ }).fill("$06");
    await page.getByRole("button", { name: "Burn" }).click();
    await page.locator(".cell h4", { hasText: "gives $06" }).waitFor();
    await page.reload();
    await ready(page);
    await atCycle(page, 0);
    await forward.click();
    await gives(page, "$06");
    await page.locator("#link").click();
    await page.locator(".banner", { hasText: "link" }).waitFor();
    const other = await open(page.url());
    await atCycle(other, 1);
    await gives(other, "$06");
  });
});
