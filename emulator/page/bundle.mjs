// Bundles the page: `gray1.html`, a single file with everything in it, and `site`, the same page as a folder for a web server.
//
//     node bundle.mjs --wasm FOLDER --out FOLDER --sources HASH
//
// The first folder contains the output of wasm-bindgen for the target `web`: gray1_page.js and gray1_page_bg.wasm.

import { build } from "esbuild";
import { compress } from "lzma1";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { notices } from "./notices.mjs";

const { values } = parseArgs({ options: { wasm: { type: "string" }, out: { type: "string" }, sources: { type: "string" } } });
if (!values.wasm || !values.out || !values.sources) {
  console.error("usage: node bundle.mjs --wasm FOLDER --out FOLDER --sources HASH");
  process.exit(2);
}
const web = join(dirname(fileURLToPath(import.meta.url)), "web");
const [wasmFolder, out] = [resolve(values.wasm), resolve(values.out)];

/** The files that were read for the page. */
const inputs = new Set();
const [opener, worker, style, html, wasm] = await Promise.all([
  bundled("open.ts"),
  bundled("worker.ts"),
  bundled("style/page.css"),
  readFile(join(web, "index.html"), "utf8"),
  readFile(join(wasmFolder, "gray1_page_bg.wasm")),
]);
/** A name for a file of the folder that is another one whenever its content is, so that no browser keeps an old one. */
const named = (content, name, ending) => `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 10)}.${ending}`;
const [workerName, wasmName, styleName] = [named(worker, "worker", "js"), named(wasm, "gray1", "wasm"), named(style, "style", "css")];
const page = await bundled("main.ts", { WORKER: JSON.stringify(workerName), WASM: JSON.stringify(wasmName) });
const pageName = named(page, "page", "js");
const licences = await notices([...inputs]);

const program = '<script type="application/json" id="program">null</script>';
const first = await firstSight();
const parts = await Promise.all(Object.entries({ machine: wasm, worker, page, licences }).map(([id, content]) => packed(id, content)));
const inlined = [...parts, `<script>${opener}</script>`];
/**
 * What the page may do: run its own scripts and its WebAssembly, and nothing from elsewhere. The opener runs the unpacked script.
 * Styles may be inline, since CodeMirror makes some, and elements have variables of theirs.
 */
const policy = (scripts, others) =>
  `default-src 'none'; script-src ${scripts} 'wasm-unsafe-eval'; style-src 'unsafe-inline'${others}; img-src data: blob:; media-src blob:; worker-src blob:${others}; connect-src${others || " 'none'"}; base-uri 'none'; form-action 'none'`;
const hashOf = (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
await rm(join(out, "site"), { recursive: true, force: true });
await mkdir(join(out, "site"), { recursive: true });
await Promise.all([
  write("gray1.html", filled(policy(`${hashOf(opener)} ${hashOf(page)}`, ""), `<style>${style}</style>`, inlined.join("\n"), "")),
  write("site/preview.png", first.preview),
  write("site/index.html", filled(policy("'self'", " 'self'"), `<link rel="stylesheet" href="${styleName}">`, `<script src="${pageName}"></script>`, '<meta property="og:image" content="preview.png">')),
  write(`site/${pageName}`, page),
  write(`site/${workerName}`, worker),
  write(`site/${styleName}`, style),
  write(`site/${wasmName}`, wasm),
  write("site/licences.txt", licences),
]);

async function bundled(entry, names = {}) {
  const result = await build({
    entryPoints: [join(web, entry)],
    alias: { "gray1-engine": join(wasmFolder, "gray1_page.js") },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: web,
    charset: "utf8",
    legalComments: "none",
    format: entry.endsWith(".css") ? undefined : "iife",
    target: "es2022",
    // wasm-bindgen uses this URL to find its file if it is not given the bytes. It always is given them here, and a script
    // that is not a module has no such URL.
    define: { "import.meta.url": '""', ...names },
    logLevel: "warning",
  });
  for (const input of Object.keys(result.metafile.inputs)) inputs.add(join(web, input));
  return result.outputFiles[0].text.trimEnd();
}

/** A part of the single file, compressed as `web/packed.ts` unpacks it. */
async function packed(id, content) {
  const { inflated, unpacked } = await imported(join(web, "packed.ts"));
  const bytes = Buffer.from(content);
  const text = inBase85(Buffer.from(id === "machine" ? compress(bytes, 9) : deflateRawSync(bytes, { level: 9 })));
  const back = id === "machine" ? unpacked(text) : Buffer.from(await inflated(text));
  if (!bytes.equals(back)) throw new Error(`web/packed.ts does not unpack ${id}`);
  return `<script type="text/plain" id="${id}">${text}</script>`;
}

/** Five characters for four bytes: a sixteenth less than base64. No character is `<`, so the HTML parser leaves it alone. */
function inBase85(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const four = Buffer.alloc(4);
    const count = bytes.copy(four, 0, at, at + 4);
    let value = four.readUInt32BE();
    const digits = [];
    for (let digit = 0; digit < 5; digit++) {
      digits.unshift(value % 85);
      value = Math.floor(value / 85);
    }
    const characters = digits.map((digit) => String.fromCharCode(42 + digit).replace("<", "!"));
    text += characters.slice(0, count + 1).join("");
  }
  return text;
}

/** A module of the page, to be used here. */
async function imported(entry) {
  const bundle = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm", define: { "import.meta.url": '""' } });
  return import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString("base64")}`);
}

/**
 * What is in the page before there is a machine, made by the machine itself: the LEDs at the first solution, as a drawing and
 * as the picture with which a link to the folder is shown, the meaning of the colours, and the beginning of the program.
 */
async function firstSight() {
  const { initSync, Page } = await imported(join(wasmFolder, "gray1_page.js"));
  initSync({ module: wasm });
  const machine = new Page();
  const ask = (request) => JSON.parse(machine.ask(JSON.stringify(request)));
  const { text } = ask({ ask: "program", name: "queens.g1" });
  ask({ ask: "load", program: { name: "queens.g1", text } });
  const { moment } = ask({ ask: "go", way: "forward", to: "solution", cycles: 100_000 });
  const { size, cells } = ask({ ask: "picture", size: 840, shapes: false });
  const escaped = (text) => text.replace(/[&<]/g, (sign) => (sign === "&" ? "&amp;" : "&lt;"));
  const { read } = await imported(join(web, "caption.ts"));
  const meanings = read(text).map(([colour, where, shows]) => `<span><b class="${colour}">${colour}</b>${escaped(`${where.trimEnd()}: ${shows}`)}</span>`);
  const lines = text.split("\n").slice(0, 40).map(escaped);
  ask({ ask: "save", file: { kind: "picture", size: 640 } });
  return {
    still: drawing(size, cells, moment.leds),
    caption: meanings.map((meaning) => meaning.replace("<span>", '<span class="first">')).join(""),
    beginning: `<pre class="first" aria-hidden="true">${lines.join("\n")}</pre>`,
    preview: machine.take(),
  };
}

/** The LEDs as a drawing: eight green rows, then eight red ones, a bit for each column. */
function drawing(size, cells, leds) {
  const disc = ([x, y, width], index) => {
    const [row, column] = [index >> 3, index & 7];
    const isLit = (line) => (leds[line] >> column) & 1;
    const colour = ["dark", "green", "red", "amber"][isLit(row) + 2 * isLit(row + 8)];
    return `<circle class="${colour}" cx="${x + width / 2}" cy="${y + width / 2}" r="${(0.41 * width).toFixed(1)}"/>`;
  };
  const colours = { dark: "#2c2d2f,#151617", red: "#ff7866,#e33b2a", green: "#74f58c,#27b847", amber: "#ffd87a,#e09a1c" };
  const gradients = Object.entries(colours).map(([name, stops]) => {
    const [inner, outer] = stops.split(",");
    return `<radialGradient id="led-${name}"><stop stop-color="${inner}"/><stop offset="1" stop-color="${outer}"/></radialGradient>`;
  });
  return `<svg class="first" viewBox="0 0 ${size} ${size}" aria-hidden="true">${gradients.join("")}${cells.map(disc).join("")}</svg>`;
}

function filled(policy, styles, parts, preview) {
  const put = (text, mark, by) => text.replace(`<!-- ${mark} -->`, () => by);
  const allowed = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const sources = `<meta name="gray1-sources" content="${values.sources}">`;
  const { still, caption, beginning } = first;
  const filling = { policy: allowed, sources, preview, style: styles, program, parts, still, caption, beginning };
  return Object.entries(filling).reduce((text, [mark, by]) => put(text, mark, by), html);
}

/** Writes to a temporary name first, so that an interrupted build leaves no half-written page. */
async function write(name, content) {
  const [path, unfinished] = [join(out, name), join(out, `${name}.tmp`)];
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}
