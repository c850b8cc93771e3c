// The controls of the bench and what they do: rows of the table in buttons.test.mjs.

import assert from "node:assert/strict";

import { saved } from "./browser.mjs";

/** The controls by selector, each with a test of what it does. */
export const BENCH = {
  ".bench-map button": async (page) => {
    await page.getByRole("tab", { name: "Bench" }).click();
    await page.locator("[data-focus=level-2]").click();
    await page.locator(".bench-text h3", { hasText: "2." }).waitFor();
    await page.locator("[data-focus=level-1]").click();
    await page.locator(".bench-name", { hasText: "STAIRS" }).waitFor();
  },
  ".bench-text summary": async (page) => {
    await page.locator(".bench-text summary", { hasText: "A hint" }).click();
    await page.locator(".bench-text details[open]", { hasText: "there has to be a 1" }).waitFor();
    await page.locator(".bench-text summary", { hasText: "line by line" }).click();
    await page.locator(".bench-text pre", { hasText: "always: Q = A ^ B" }).waitFor();
  },
  ".bench-sheet button": async (page) => {
    await page.locator("[data-focus=flip-A]").click();
    await page.locator("[data-focus=flip-A][aria-pressed=true]").waitFor();
    await page.locator("[data-focus=data-0-0]").click();
    await page.locator(".bench-line h4", { hasText: "STAIRS, data line 0: Q" }).waitFor();
    await page.locator("[data-focus=chip-0]").click();
    await page.locator("[data-focus=chip-0][aria-pressed=true]").waitFor();
  },
  ".bench-line :is(button, input)": async (page) => {
    await page.locator(".bench-why .go").first().click();
    await page.locator(".bench-line h4", { hasText: "Net A" }).waitFor();
    await page.locator("[data-focus=address-0-2]").click();
    await page.locator(".bench-line input").fill("Q");
    await page.locator(".bench-line").getByRole("button", { name: "Connect" }).click();
    await page.locator("[data-focus=address-0-3]").waitFor();
    await page.locator("[data-focus=address-0-2]").click();
    await page.locator(".bench-line").getByRole("button", { name: "Take this line away" }).click();
    await page.locator("[data-focus=address-0-3]").waitFor({ state: "detached" });
    await page.locator("[data-focus=address-0-1]").click();
    await page.locator(".bench-line").getByRole("button", { name: "Close" }).click();
    await page.locator(".bench-line section").waitFor({ state: "detached" });
  },
  ".bench-own :is(button, input, textarea)": async (page) => {
    await page.locator("[data-focus=cell-1-0]").click();
    await page.locator("[data-focus=cell-1-0].one").waitFor();
    await page.locator("[data-focus=chip-formulas]").fill("Q = A & B");
    await page.locator("[data-focus=chip-formulas]").press("Tab");
    await page.locator("[data-focus=cell-3-0].one").waitFor();
    for (const [key, text] of [["name", "LIGHT"], ["address", "B A"], ["data", "Q X"]]) {
      await page.locator(`[data-focus=chip-${key}]`).fill(text);
      await page.locator(`[data-focus=chip-${key}]`).press("Enter");
      await page.locator(".bench-sheet .bench-chip", { hasText: new RegExp(text.at(-1)) }).waitFor();
    }
    await page.getByRole("button", { name: "Remove this chip" }).click();
    await page.locator(".bench-chip").waitFor({ state: "detached" });
  },
  ".to-board": async (page) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.locator("#bar").getByRole("button", { name: "Inside" }).click();
    await page.locator(".to-board").click();
    await page.waitForFunction(() => document.querySelector(".bench-task").getBoundingClientRect().top < 200);
    await page.setViewportSize({ width: 1440, height: 900 });
  },
  ".bench-tools :is(button, input)": async (page) => {
    const tool = (name) => page.locator(".bench-tools").getByRole("button", { name, exact: true });
    await tool("Undo").click();
    await page.locator(".bench-name", { hasText: "LIGHT" }).waitFor();
    await tool("Redo").click();
    await page.locator(".bench-chip").waitFor({ state: "detached" });
    await tool("From the start").click();
    await page.locator(".bench-name", { hasText: "STAIRS" }).waitFor();
    await tool("Add a chip").click();
    await page.locator(".bench-name", { hasText: "CHIP1" }).waitFor();
    assert.equal((await saved(page, () => tool("Save").click())).name, "level-1.ron");
    await Promise.all([page.waitForEvent("filechooser"), tool("Open…").click()]);
    await tool("Check").click();
    await page.locator(".bench-board .verdict.failed", { hasText: "at most 1 chip" }).waitFor();
    await page.locator("[data-focus=level-11]").click();
    await page.locator("[data-focus=flip-P1]").waitFor();
    await tool("Step").click();
    await page.locator("[data-focus=flip-P1][aria-pressed=true]").waitFor();
    await page.locator("[data-focus=level-1]").click();
    await tool("From the start").click();
  },
  ".bench-source :is(summary, textarea)": async (page) => {
    await page.locator(".bench-source summary").click();
    const source = page.locator(".bench-source textarea");
    await source.fill((await source.inputValue()).replace("STAIRS", "LIGHT"));
    await page.locator(".bench-name", { hasText: "LIGHT" }).waitFor();
  },
  ".bench-board .verdict button": async (page) => {
    await page.locator(".bench-tools").getByRole("button", { name: "Check" }).click();
    await page.getByRole("button", { name: "Show me" }).click();
    await page.locator("[data-focus=flip-A][aria-pressed=true]").waitFor();
  },
};
