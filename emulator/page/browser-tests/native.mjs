// Runs the `gray1` binary, which the page is compared with.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { ROOT } from "./browser.mjs";

const built = ["release", "debug"].map((profile) => resolve(ROOT, `target/${profile}/gray1`)).filter((path) => existsSync(path));

/** The binary that was built last, unless the variable GRAY1 names another. */
const GRAY1 = process.env.GRAY1 ?? built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? "gray1";

/** Runs the binary in a folder and returns what it printed. A run that reached its limit (exit code 3) is no failure. */
export function native(folder, words, codes = [0, 3]) {
  const { status, stdout, stderr } = spawnSync(GRAY1, words, { cwd: folder, encoding: "utf8" });
  assert.ok(codes.includes(status), `${words.join(" ")}: exit code ${status}: ${stderr}`);
  return { stdout, stderr };
}

/** Runs an action with a temporary folder. */
export async function withFolder(action) {
  const folder = mkdtempSync(join(tmpdir(), "gray1-page-"));
  try {
    await action(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
