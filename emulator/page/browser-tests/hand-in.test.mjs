// Handing in: all answers as a file, a link and a QR code; opened again, and judged by `gray1 check`; lessons of one's own.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { FILE, withPage, withProfile } from "./browser.mjs";
import { native, withFolder } from "./native.mjs";

const LESSON =
  "# Mine\n\nText.\n\n## Send 5\n\n```exercise 9.1 program\nalways: sends 5\n```\n\n```g1 start\nhalt: jmp  halt\n```\n";

const lessonsOf = async (page) => {
  await page.getByRole("tab", { name: "Lessons" }).click();
  await page.getByRole("combobox", { name: "Lesson" }).locator("option").first().waitFor({ state: "attached" });
};
const handIn = async (page) => {
  await lessonsOf(page);
  const section = page.locator(".hand-in");
  if (!(await section.evaluate((details) => details.open))) await section.locator("summary").click();
  return section;
};
const region = async (page, id) => {
  await page.getByRole("combobox", { name: "Lesson" }).selectOption(id.split(".")[0]);
  return page.getByRole("region", { name: `Exercise ${id}` });
};

test("what was typed is kept without a check, handed in as a file, and opened again elsewhere", async () => {
  await withFolder(async (folder) => {
    const saved = join(folder, "answers.json");
    await withProfile({}, async ({ open }) => {
      const page = await open();
      await lessonsOf(page);
      await (await region(page, "7.1")).getByRole("textbox").fill("capacitor = 333 pF");
      await page.reload();
      await lessonsOf(page);
      assert.equal(await (await region(page, "7.1")).getByRole("textbox").inputValue(), "capacitor = 333 pF");
      const section = await handIn(page);
      await section.getByLabel("Name").fill("Ada Lovelace");
      await section.getByLabel("Class").fill("7b");
      const [download] = await Promise.all([page.waitForEvent("download"), section.getByRole("button", { name: "Save all answers" }).click()]);
      assert.equal(download.suggestedFilename(), "answers-7b-Ada-Lovelace.json");
      await download.saveAs(saved);
    });
    const answers = JSON.parse(readFileSync(saved, "utf8"));
    assert.deepEqual(answers, { gray1: "answers", name: "Ada Lovelace", class: "7b", answers: { 7.1: "capacitor = 333 pF" } });
    answers.answers["5.1"] = ".ram  x\n.ram  y\n      lda  y\n      nor  #0\n      add  #1\n      add  x\n      sta  OUT\nhalt: jmp  halt\n";
    writeFileSync(saved, JSON.stringify(answers));
    await withProfile({}, async ({ open }) => {
      const page = await open();
      const section = await handIn(page);
      await (await region(page, "7.1")).getByRole("textbox").fill("capacitor = 1 pF");
      await section.locator("input[type=file]").setInputFiles(saved);
      await section.getByText("Opened: 2 answers of Ada Lovelace.").waitFor();
      await page.getByRole("combobox", { name: "Lesson" }).locator("option", { hasText: "(1 of 2 solved)" }).first().waitFor({ state: "attached" });
      const minus = await region(page, "5.1");
      await minus.locator(".solved", { hasText: "solved" }).waitFor();
      await minus.getByRole("button", { name: "Open in the editor" }).click();
      await page.locator(".cm-line", { hasText: "nor" }).waitFor();
      // One's own answers are there after a reload and after those of somebody else.
      await page.reload();
      await handIn(page);
      assert.equal(await section.getByLabel("Name").inputValue(), "Ada Lovelace");
      answers.name = "Bob";
      answers.answers["7.1"] = "capacitor = 2 pF";
      await section.locator("input[type=file]").setInputFiles({ name: "bob.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(answers)) });
      await section.getByText("Opened: 2 answers of Bob.").waitFor();
      await section.getByRole("button", { name: "Back to your own answers" }).click();
      await section.getByText("These are your answers again.").waitFor();
      assert.equal(await (await region(page, "7.1")).getByRole("textbox").inputValue(), "capacitor = 1 pF");
      assert.equal(await section.getByLabel("Name").inputValue(), "");
      // The program that is open is that of nobody else any more.
      assert.equal(await page.locator("#program-choice option", { hasText: "earlier" }).count(), 0);
    });
    const { attempts } = JSON.parse(native(folder, ["check", "5.1", saved, "--format", "json"]).stdout);
    assert.deepEqual([attempts[0].passed, attempts[0].name], [true, "Ada Lovelace"]);
  });
});

test("answers go as a link and as a QR code", async () => {
  await withProfile({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ open }) => {
    const page = await open();
    const section = await handIn(page);
    await section.getByRole("button", { name: "Copy as a link" }).click();
    await section.getByText("There is no answer yet.").waitFor();
    await (await region(page, "7.1")).getByRole("textbox").fill("capacitor = 444 pF");
    await section.getByRole("button", { name: "Copy as a link" }).click();
    await section.getByText("Write your name first").waitFor();
    await section.getByLabel("Name").fill("Ada");
    await section.getByRole("button", { name: "Show as a QR code" }).click();
    await section.getByRole("img", { name: "QR code of all answers" }).waitFor();
    await page.evaluate(() => (navigator.clipboard.writeText = async (text) => void (window.copied = text)));
    await section.getByRole("button", { name: "Copy as a link" }).click();
    await section.getByText("The link is in the clipboard.").waitFor();
    const link = await page.evaluate(() => window.copied);
    await (await region(page, "7.1")).getByRole("textbox").fill("capacitor = 1 pF");
    await page.goto(link);
    await page.getByText("Opened: 1 answer of Ada.").waitFor();
    assert.equal(await page.evaluate(() => location.hash), "");
    assert.equal(await (await region(page, "7.1")).getByRole("textbox").inputValue(), "capacitor = 444 pF");
  });
});

test("what is no file of answers, and a lesson with a mistake, is told", async () => {
  await withPage(async (page) => {
    const section = await handIn(page);
    const file = (name, text) => section.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await file("x.json", "{}");
    await section.getByText("not a file of answers saved by the page").waitFor();
    await file("wrong.md", LESSON.replace("always", "never"));
    await page.getByText("wrong.md:8: ").waitFor();
    // It is not kept, and the lesson that was open still is; the right one can be removed again.
    const chosen = () => page.getByRole("combobox", { name: "Lesson" }).inputValue();
    assert.equal(await chosen(), "1");
    await file("wrong.md", LESSON);
    await page.getByRole("region", { name: "Exercise 9.1" }).waitFor();
    await page.waitForTimeout(2_000); // which lesson is open is stored a moment later
    await page.reload();
    await page.getByRole("region", { name: "Exercise 9.1" }).waitFor();
    // It had the place of lesson 9, which is there again.
    await page.getByRole("button", { name: "Remove this lesson" }).click();
    await page.getByRole("region", { name: "Exercise 9.2" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Remove this lesson" }).count(), 0);
    assert.equal(await page.locator("#pane-lesson > .wrong").innerText(), "");
  });
});

test("a lesson of one's own is opened from a file and from `gray1 page`", async () => {
  await withFolder(async (folder) => {
    const [lesson, out] = ["mine.md", "out.html"].map((name) => join(folder, name));
    writeFileSync(lesson, LESSON);
    native(folder, ["page", "--lesson", lesson, "--page", FILE, "-o", out]);
    await withProfile({}, async ({ open }) => {
      const page = await open(pathToFileURL(out).href);
      await lessonsOf(page);
      await (await region(page, "9.1")).getByText("always: sends").waitFor();
    });
    await withPage(async (page) => {
      const section = await handIn(page);
      await section.locator("input[type=file]").setInputFiles(lesson);
      await page.getByRole("region", { name: "Exercise 9.1" }).waitFor();
      // A link holds the lesson that is open.
      await page.locator("#link").click();
      await page.locator(".banner", { hasText: "The link is" }).waitFor();
      const link = page.url();
      await withPage(async (other) => {
        await other.goto(link);
        await other.reload();
        await other.getByRole("region", { name: "Exercise 9.1" }).waitFor();
      });
      await page.emulateMedia({ media: "print" });
      await page.getByText("Name: ____").waitFor();
      assert.equal(await section.isVisible(), false);
    });
  });
});
