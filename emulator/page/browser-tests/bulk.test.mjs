// The WebAssembly is loaded without a browser and compared with the native binary: states and traces of many random images,
// on both engines, byte for byte. engine.test.mjs does the same through the page, which takes far longer for each program.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { BUILT } from "./browser.mjs";
import { native, withFolder } from "./native.mjs";

const PROGRAMS = 40;
const WORDS = 4096;
const TRACED = 200;
const LAST = 20_000;

const wasm = resolve(BUILT, "wasm");
const { default: start, Page } = await import(pathToFileURL(join(wasm, "gray1_page.js")).href);
await start({ module_or_path: readFileSync(join(wasm, "gray1_page_bg.wasm")) });

/** An image of random words, determined by the seed. Jumps are rare, so that a run reaches many words. */
function image(seed) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const bytes = new Uint8Array(2 * WORDS);
  for (let at = 0; at < WORDS; at++) {
    const opcode = random(10) < 9 ? random(5) : 5 + random(3);
    const place = random(4) ? random(4096) : 0xfe0 + random(32);
    const word = (opcode << 13) | (random(2) << 12) | place;
    bytes.set([word & 0xff, word >> 8], 2 * at);
  }
  return bytes;
}

function machine(bytes, engine) {
  const page = new Page();
  const ask = (request) => {
    const answer = JSON.parse(page.ask(JSON.stringify(request)));
    assert.notEqual(answer.answer, "error", answer.text);
    return answer;
  };
  ask({ ask: "load", program: { name: "random.bin", image: Buffer.from(bytes).toString("base64") }, options: { engine } });
  const hex = (number, digits) => number.toString(16).padStart(digits, "0");
  return {
    trace() {
      const rows = ["cycle,pc,word,a,c"];
      let moment = ask({ ask: "look" });
      while (!moment.halted && moment.cycle < TRACED) {
        rows.push([moment.cycle, hex(moment.pc, 3), moment.word, hex(moment.a, 2), Number(moment.c)].join(","));
        moment = ask({ ask: "go", way: "forward", to: "instruction", cycles: 1 }).moment;
      }
      return `${rows.join("\n")}\n`;
    },
    stateAt(cycle) {
      ask({ ask: "seek", cycle, cycles: cycle });
      ask({ ask: "save", file: { kind: "state" } });
      return Buffer.from(page.take()).toString();
    },
  };
}

test(`${PROGRAMS} random images on both engines: traces, and states in both directions`, async () => {
  await withFolder(async (folder) => {
    const [program, trace] = ["random.bin", "trace.csv"].map((name) => join(folder, name));
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const bytes = image(seed);
      writeFileSync(program, bytes);
      native(folder, ["run", program, "--display", "none", "--max-cycles", String(TRACED), "--trace", trace]);
      const states = [LAST, TRACED].map((cycle) => {
        const state = join(folder, "state.ron");
        native(folder, ["run", program, "--display", "none", "--max-cycles", String(cycle), "--state-out", state]);
        return [cycle, readFileSync(state, "utf8")];
      });
      for (const engine of ["chips", "isa"]) {
        const built = machine(bytes, engine);
        assert.equal(built.trace(), readFileSync(trace, "utf8"), `seed ${seed}, ${engine}`);
        for (const [cycle, state] of states) {
          assert.equal(built.stateAt(cycle), state, `seed ${seed}, ${engine}, cycle ${cycle}`);
        }
      }
    }
  });
});
