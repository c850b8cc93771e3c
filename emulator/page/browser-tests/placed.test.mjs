// A page into which `gray1 page` has put a program: it opens with that program.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { FILE, atCycle, withProfile } from "./browser.mjs";
import { native, withFolder } from "./native.mjs";

const PROGRAM = '      .include "more.g1"\n      lda  #"</script>"[0]\nagain: jmp  again\n';
const INCLUDED = "; included: <!-- ]]> </script>\n      .ram n\n      lda  #N\n      sta  n\n";

test("a page with a program opens with that program, its files and its constants", async () => {
  await withFolder(async (folder) => {
    const [source, out] = ["mine.g1", "out.html"].map((name) => join(folder, name));
    writeFileSync(source, "N ?= 1\n" + PROGRAM);
    writeFileSync(join(folder, "more.g1"), INCLUDED);
    native(folder, ["page", source, "--page", FILE, "-o", out, "-D", "N=77"]);
    await withProfile({}, async ({ open }) => {
      const page = await open(pathToFileURL(out).href);
      for (const cycle of [1, 2]) {
        await page.getByRole("button", { name: "Forward one instruction" }).click();
        await atCycle(page, cycle, 0);
      }
      assert.match(await page.locator(".cm-content").innerText(), /again: jmp {2}again/);
      assert.match(await page.locator("#name").innerText(), /mine\.g1/);
      assert.match(await page.locator("body").innerText(), /4D/i);
    });
  });
});

test("changes to the program of a page are kept, whatever was open meanwhile, and pages do not share them", async () => {
  await withFolder(async (folder) => {
    const address = (number) => {
      const [source, out] = [join(folder, "mine.g1"), join(folder, `${number}.html`)];
      writeFileSync(source, `; page ${number}\n      lda  #1\nagain: jmp  again\n`);
      native(folder, ["page", source, "--page", FILE, "-o", out]);
      return pathToFileURL(out).href;
    };
    const [first, second] = [address(1), address(2)];
    await withProfile({}, async ({ open }) => {
      const page = await open(first);
      const line = (text) => page.locator(".cm-line", { hasText: text });
      const typed = async (text) => {
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type(text);
      };
      await typed("; made of one\n");
      await page.locator("#program-choice").selectOption("life.g1");
      await page.locator("#name", { hasText: "life.g1" }).waitFor();
      await page.goto(second);
      await line("; page 2").waitFor();
      await line("; made of one").waitFor({ state: "detached" });
      await typed("; made of two\n");
      await page.goto(first);
      await line("; made of one").waitFor();
      await line("; page 1").waitFor();
      await page.goto(second);
      await line("; made of two").waitFor();
    });
  });
});
