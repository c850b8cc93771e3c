// A program that `gray1 page` has put into the page: it opens with it, at its moment, on its board.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { FILE, atCycle, withProfile } from "./browser.mjs";
import { GRAY1 } from "./native.mjs";

const PROGRAM = '      .include "more.g1"\n      lda  #"</script>"[0]\nagain: jmp  again\n';
const INCLUDED = "; included: <!-- ]]> </script>\n      .ram n\n      lda  #N\n      sta  n\n";

test("a page with a program in it opens with that program, its files, its constants and its moment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gray1-placed-"));
  try {
    const [source, out] = ["mine.g1", "out.html"].map((name) => join(folder, name));
    writeFileSync(source, "N ?= 1\n" + PROGRAM);
    writeFileSync(join(folder, "more.g1"), INCLUDED);
    execFileSync(GRAY1, ["page", source, "--page", FILE, "-o", out, "-D", "N=77", "--cycle", "2"], { stdio: "pipe" });
    await withProfile({}, async ({ open }) => {
      const page = await open(pathToFileURL(out).href);
      await atCycle(page, 2, 0);
      assert.match(await page.locator(".cm-content").innerText(), /again: jmp {2}again/);
      assert.match(await page.locator("#name").innerText(), /mine\.g1/);
      assert.match(await page.locator("body").innerText(), /4D/i);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
