// The binary of this project, to compare with.

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";

import { ROOT } from "./browser.mjs";

const built = ["release", "debug"].map((profile) => resolve(ROOT, `target/${profile}/gray1`)).filter((path) => existsSync(path));

/** The newest that was built, unless the variable GRAY1 names another. */
export const GRAY1 = process.env.GRAY1 ?? built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? "gray1";
