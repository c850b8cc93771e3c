// The page in WebKit, the engine of Safari. The variable WEBKIT names the driver of WebKitGTK (Debian: webkit2gtk-driver), which
// this test speaks to itself. The browser needs a screen, so Xvfb has to be there too.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as rest } from "node:timers/promises";

import { FILE_ADDRESS, PATIENCE } from "./browser.mjs";

const DRIVER = process.env.WEBKIT;

test("in WebKit the first visit moves, and the queens program runs to its end", { skip: !DRIVER && "WEBKIT names no driver" }, async (t) => {
  const { run, until } = await opened(t);
  const cycle = () => run("return Number(document.querySelector('.track').getAttribute('aria-valuenow'))");
  const tour = "[...document.querySelectorAll('.tour button')].find((button) => button.innerText === 'Leave the tour')";
  await until("tour", () => run(`return Boolean(${tour})`));
  await until("movement", async () => (await cycle()) > 100);
  await run(`${tour}.click()`);
  await run("const speed = document.querySelector('#speed'); speed.value = speed.max; speed.dispatchEvent(new Event('input', { bubbles: true }))");
  // The search of the first visit ends with a solution.
  const isStanding = "document.querySelector('#run').innerText === 'Run'";
  await until("solution", () => run(`return ${isStanding}`));
  await run("document.querySelector('#run').click()");
  await until("92 solutions", () => run("return /^15863724\\n(.*\\n){91}92\\s*$/.test(document.querySelector('#output').innerText)"));
  assert.equal(await run("return document.querySelector('#banner').innerText"), "");
});

/** The page in a new browser: `run` evaluates a body of a function there, `until` waits until an action returns what is true. */
async function opened(t) {
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const [number] = await once(screen.stdio[3], "data");
  const port = await freePort();
  const environment = { ...process.env, DISPLAY: `:${String(number).trim()}` };
  const driver = spawn(DRIVER, [`--port=${port}`], { env: environment, stdio: "ignore" });
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const until = async (what, seen) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await rest(100)) if (await seen()) return;
    assert.fail(`no ${what}:\n${await run("return document.body.innerText")}`);
  };
  let session = "";
  t.after(async () => {
    if (session) await call("DELETE", `/session/${session}`);
    driver.kill();
    screen.kill();
  });
  const run = (script) => call("POST", `/session/${session}/execute/sync`, { script, args: [] });
  await until("driver", () => call("GET", "/status").catch(() => false));
  ({ sessionId: session } = await call("POST", "/session", { capabilities: {} }));
  await call("POST", `/session/${session}/url`, { url: FILE_ADDRESS });
  return { run, until };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
