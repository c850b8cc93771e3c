// The machine in the browser gives the same traces and states as the native binary, byte for byte.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

import { ROOT, withPage } from "./browser.mjs";
import { native, withFolder } from "./native.mjs";

const RANDOM_PROGRAMS = 12;

/** Sends a request to the worker of the page as the page itself would, and returns the answer. */
function ask(page, request) {
  return page.workers()[0].evaluate(
    (request) =>
      new Promise((answered) => {
        const { postMessage } = self;
        self.postMessage = (message, ...rest) => {
          if (message.tell !== "answer" || message.id !== -1) return postMessage.call(self, message, ...rest);
          self.postMessage = postMessage;
          answered({ ...message.answer, bytes: message.bytes && [...new Uint8Array(message.bytes)] });
        };
        self.onmessage({ data: { tell: "ask", id: -1, request } });
      }),
    request,
  );
}

async function seek(page, cycle) {
  for (;;) {
    const told = await ask(page, { ask: "seek", cycle, cycles: 100_000 });
    assert.equal(told.answer, "moved", JSON.stringify(told));
    if (told.stop !== "limit") return told.moment;
  }
}

/** The state file of the browser's machine and that of the native binary, both at this cycle. */
async function states(page, folder, name, cycle) {
  await seek(page, cycle);
  const file = await ask(page, { ask: "save", file: { kind: "state" } });
  assert.equal(file.answer, "file", JSON.stringify(file).slice(0, 300));
  const state = join(folder, "state.ron");
  native(folder, ["run", name, "--display", "none", "--max-cycles", String(cycle), "--state-out", state]);
  return [Buffer.from(file.bytes).toString(), readFileSync(state, "utf8")];
}

/** The trace of the browser's machine, in the format of `--trace`. */
async function trace(page, cycles) {
  const hex = (number, digits) => number.toString(16).padStart(digits, "0");
  const rows = ["cycle,pc,word,a,c"];
  let moment = await seek(page, 0);
  for (let cycle = 0; cycle < cycles; cycle++) {
    rows.push([cycle, hex(moment.pc, 3), moment.word.toLowerCase(), hex(moment.a, 2), Number(moment.c)].join(","));
    const told = await ask(page, { ask: "go", way: "forward", to: "phase", cycles: 1 });
    assert.equal(told.answer, "moved");
    moment = await seek(page, cycle + 1);
  }
  return `${rows.join("\n")}\n`;
}

/** A program of random instructions, determined by the seed. */
function randomProgram(seed) {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n;
  const random = (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(below));
  };
  const words = 40 + random(200);
  const lines = [];
  for (let at = 0; at < words; at++) {
    const label = `place${random(words)}`;
    const byte = ["OUT", "GREEN", "RED+7", "KEYS", "PADROW"][random(12)] ?? String(random(64));
    const value = random(2) ? `#${random(256)}` : byte;
    const instruction = [`lda ${value}`, `sta ${byte}`, `add ${value}`, `nor ${value}`, `shr ${byte}`, `jmp ${label}`, `jc ${label}`, `jz ${label}`];
    // Jumps are rare, so that a run reaches many lines.
    lines.push(`place${at}: ${instruction[random(10) < 8 ? random(5) : 5 + random(3)]}`);
  }
  return `${lines.join("\n")}\n jmp place0\n`;
}

test("queens: states during the search and at its end, and the trace of its first cycles", async () => {
  await withFolder(async (folder) => {
    const name = "queens.g1";
    const text = readFileSync(resolve(ROOT, "programs", name), "utf8");
    writeFileSync(join(folder, name), text);
    await withPage(async (page) => {
      const loaded = await ask(page, { ask: "load", program: { name, text } });
      assert.ok(loaded.moment, loaded.checked?.text);
      for (const cycle of [0, 1, 5_000, 63_000, 44_444]) {
        const [browser, reference] = await states(page, folder, name, cycle);
        assert.equal(browser, reference, `cycle ${cycle}`);
      }
      native(folder, ["run", name, "--display", "none", "--max-cycles", "300", "--trace", "trace.csv"]);
      assert.equal(await trace(page, 300), readFileSync(join(folder, "trace.csv"), "utf8"));
    });
  });
});

test(`${RANDOM_PROGRAMS} random programs: traces and states`, async () => {
  await withFolder(async (folder) => {
    await withPage(async (page) => {
      for (let seed = 1; seed <= RANDOM_PROGRAMS; seed++) {
        const [name, text] = ["random.g1", randomProgram(seed)];
        writeFileSync(join(folder, name), text);
        const loaded = await ask(page, { ask: "load", program: { name, text } });
        assert.ok(loaded.moment, loaded.checked?.text ?? JSON.stringify(loaded));
        for (const cycle of [50, 3_000]) {
          const [browser, reference] = await states(page, folder, name, cycle);
          assert.equal(browser, reference, `seed ${seed}, cycle ${cycle}`);
        }
        native(folder, ["run", name, "--display", "none", "--max-cycles", "60", "--trace", "trace.csv"]);
        const reference = readFileSync(join(folder, "trace.csv"), "utf8");
        // The native run ends when the machine halts, so its trace may be shorter.
        assert.ok((await trace(page, 60)).startsWith(reference), `seed ${seed}\n${text}`);
      }
    });
  });
});
