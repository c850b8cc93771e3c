// Finds the rows of the board's picture, for web/rows.ts: few of them, short cables, and about the shape of its pane.
//
//     node layout.mjs FOLDER        the folder with the output of wasm-bindgen, such as ../../target/page/wasm
//
// It is a search by random changes, fewer of which are taken as time goes on (simulated annealing), and always the same one. It
// takes a minute or two, and only has to be repeated when the wiring has changed.

import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The shape of the pane: only its ratio matters. */
const PANE = { width: 440, height: 450 };
const MOST_ROWS = 7;
const STEPS = 30_000;

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../../target/page/wasm"));
const { initSync, Page } = await import(join(folder, "gray1_page.js"));
initSync({ module: await readFile(join(folder, "gray1_page_bg.wasm")) });
const { blocks, cables } = JSON.parse(new Page().ask('{"ask":"board"}'));
const bundled = await build({ entryPoints: [join(here, "web/arrange.ts")], bundle: true, write: false, format: "esm" });
const { arrange } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);

let seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
const below = (limit) => Math.floor(random() * limit);

/** What is bad about an arrangement: its size, the length of its cables, and those that lead up. */
function cost(rows) {
  const { width, height, routes } = arrange(blocks, cables, rows);
  const lengths = routes.map(({ points }) => points.slice(1).reduce((sum, [x, y], at) => sum + Math.abs(x - points[at][0]) + Math.abs(y - points[at][1]), 0));
  const up = cables.filter(({ from, to }) => rows[to] <= rows[from]).length;
  return Math.max(width / PANE.width, height / PANE.height) * 10_000 + 0.15 * lengths.reduce((sum, length) => sum + length, 0) + 15 * up;
}

let rows = blocks.map((_, block) => Math.floor((block * MOST_ROWS) / blocks.length));
let now = cost(rows);
let best = { rows, cost: now };
for (let step = 0; step < STEPS; step++) {
  const heat = 400 * (1 - step / STEPS) + 1;
  const next = [...rows];
  const block = below(blocks.length);
  if (random() < 0.7) {
    next[block] = Math.max(0, Math.min(MOST_ROWS - 1, next[block] + (random() < 0.5 ? 1 : -1)));
  } else {
    const other = below(blocks.length);
    [next[block], next[other]] = [next[other], next[block]];
  }
  if (new Set(next).size < Math.max(...next) + 1) continue; // a row is empty
  const then = cost(next);
  if (then >= now && random() >= Math.exp((now - then) / heat)) continue;
  [rows, now] = [next, then];
  if (now < best.cost) best = { rows, cost: now };
}

const lines = Array.from({ length: Math.max(...best.rows) + 1 }, (_, row) => blocks.filter((_, block) => best.rows[block] === row).map(({ name }) => name));
const { width, height } = arrange(blocks, cables, best.rows);
await writeFile(
  join(here, "web/rows.ts"),
  `// The rows of the board's picture, from the top. \`layout.mjs\` has found them, and writes this file.\n\nexport const ROWS: readonly (readonly string[])[] = [\n${lines.map((names) => `  [${names.map((name) => `"${name}"`).join(", ")}],\n`).join("")}];\n`,
);
console.log(`web/rows.ts: ${lines.length} rows, ${Math.round(width)} x ${Math.round(height)}, cost ${Math.round(best.cost)}`);
