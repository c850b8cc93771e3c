// What was burned, pressed or changed is always visible, and can be undone, after a reload and in a link too.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, led, openFile, ready, type, withProfile } from "./browser.mjs";

const ADDS = ".ram n\n      lda  #9\n      add  #8\n      sta  OUT\nhalt: jmp  halt\n";
const changes = (page) => page.locator("#changes");
const forward = async (page, to) => {
  await page.getByRole("button", { name: "Forward one instruction" }).click();
  await atCycle(page, to);
};

test("a burned cell is shown after a reload, in a link and for another source, until it is mended", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await openFile(page, "adds.g1", ADDS);
    assert.equal(await changes(page).isVisible(), false);
    await page.getByRole("tab", { name: "Chip" }).click();
    await page.getByRole("combobox", { name: "Chip" }).selectOption("XMUX");
    await page.getByRole("textbox", { name: /^New value of cell/ }).fill("$05");
    await page.getByRole("button", { name: "Burn" }).click();
    await changes(page).getByText(/XMUX at \$\w+ gives \$0?5/i).waitFor();
    await page.reload();
    await ready(page);
    await changes(page).getByText("XMUX").waitFor();
    await type(page, "      lda  #1\nhalt: jmp  halt\n");
    await changes(page).getByText("XMUX").waitFor();
    await page.locator("#link").click();
    await page.locator("#banner").waitFor();
    const other = await open(page.url());
    await changes(other).getByText("XMUX").waitFor();
    await changes(other).getByRole("button", { name: "Mend it" }).click();
    await changes(other).waitFor({ state: "hidden" });
    await other.reload();
    await ready(other);
    assert.equal(await changes(other).isVisible(), false);
  });
});

test("presses and edited bytes are shown, and a run without them begins where the machine was", async () => {
  await withProfile({}, async ({ open }) => {
    const page = await open();
    await openFile(page, "adds.g1", ADDS);
    await forward(page, 1);
    await led(page, 2, 3).click();
    await changes(page).getByText("pressed once").waitFor();
    await page.getByRole("tab", { name: "RAM" }).click();
    await page.locator(".ram-table button").first().click();
    await page.getByRole("textbox", { name: "New value of the byte" }).fill("7");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await changes(page).getByText("changed once by hand").waitFor();
    // A link holds the presses.
    await page.locator("#link").click();
    await page.locator("#banner").waitFor();
    const other = await open(page.url());
    await changes(other).getByText("as a link has recorded them").waitFor();
    await changes(other).getByRole("button", { name: "Without them" }).click();
    await changes(other).waitFor({ state: "hidden" });
    await changes(page).getByRole("button", { name: /^Undo/ }).click();
    await changes(page).waitFor({ state: "hidden" });
    await atCycle(page, 1);
  });
});
