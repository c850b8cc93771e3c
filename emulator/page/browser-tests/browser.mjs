// A browser for the tests: one Chromium for each test file, a new profile for each test. Errors on the console and uncaught
// exceptions fail the test that opened the page; requests are recorded.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { chromium, firefox } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The folder of the built page. */
export const BUILT = resolve(process.env.GRAY1_PAGE ?? resolve(root, "target/page"));
export const FILE = resolve(BUILT, "gray1.html");
export const FILE_ADDRESS = pathToFileURL(FILE).href;

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves the files of a folder. Returns the address, which ends with a slash, and what ends it. */
export async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const name = new URL(url, "http://x").pathname.slice(1) || "index.html";
    try {
      const content = await readFile(join(folder, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}

// Most tests open the page from a server: at the addresses of files, Chromium 156 now and then loses what a tab has stored
// for all, in empty pages too (some 1 in 50 new profiles, and none of 500 at a server's address).
const server = await serve(BUILT);
/** The page at a server. */
export const ADDRESS = `${server.address}gray1.html`;
/** The root of the project. */
export const ROOT = root;

/** The limit for each action, in milliseconds. It is generous because a slow computer must not fail a test. */
export const PATIENCE = 60_000;

/** Whether the tests run in Firefox, which the variable FIREFOX names. */
export const IS_FIREFOX = Boolean(process.env.FIREFOX);

let browser;

before(async () => {
  assert.ok(existsSync(FILE), `${FILE} is missing: run emulator/page/build`);
  if (IS_FIREFOX) {
    browser = await firefox.launch({ channel: "moz-firefox", executablePath: process.env.FIREFOX });
    return;
  }
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  assert.ok(executablePath, "no Chromium: install it, or name it in the variable CHROMIUM");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  server.close();
  await browser?.close();
});

/**
 * Runs an action with a new profile, in which `open` opens a page. Errors on any of its pages fail the test. Unless it is the
 * first visit, `isFirst`, the tour has been left.
 */
export async function withProfile({ isFirst = false, ...options }, action) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  if (!isFirst) await context.addInitScript(leaveTour);
  context.setDefaultTimeout(PATIENCE);
  const faults = [];
  const requests = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const open = async (address = ADDRESS) => {
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(address);
    await ready(page);
    return page;
  };
  try {
    await action({ open, context, faults, requests });
  } catch (error) {
    if (faults.length > 0) error.message += `\nerrors on the page: ${faults.join("\n")}`;
    throw error;
  } finally {
    await context.close();
  }
  assert.deepEqual(faults, [], "errors on the page");
}

/** Runs in the page, before its own script. */
function leaveTour() {
  try {
    const manner = JSON.parse(localStorage.getItem("gray1.manner"));
    if (!manner?.toured) localStorage.setItem("gray1.manner", JSON.stringify({ ...manner, toured: true }));
  } catch {
    // This profile has no storage.
  }
}

/** Runs an action with the page. */
export async function withPage(action, { address, ...options } = {}) {
  await withProfile(options, async (profile) => action(await profile.open(address), profile));
}

/** Waits until a program is loaded, and the LEDs and the board are drawn. */
export async function ready(page) {
  await page.waitForFunction(() => {
    const canvas = document.querySelector("#leds canvas");
    return document.querySelector("#timeline [role=slider]")?.hasAttribute("aria-valuenow") && canvas?.width > 0 && document.querySelector(".board-svg");
  });
}

/** The cycle that the time line shows. */
export function cycle(page) {
  return page.getByRole("slider", { name: "Time line" }).evaluate((line) => Number(line.getAttribute("aria-valuenow")));
}

export function phase(page) {
  return page.getByRole("slider", { name: "Time line" }).evaluate((line) => Number(/phase (\d)/.exec(line.getAttribute("aria-valuetext"))[1]));
}

/** Waits until the machine is at this cycle and phase. */
export async function atCycle(page, wanted, wantedPhase = 0) {
  await page.waitForFunction(
    ([cycle, phase]) => {
      const line = document.querySelector("#timeline [role=slider]");
      return line.getAttribute("aria-valuenow") === String(cycle) && line.getAttribute("aria-valuetext").endsWith(`phase ${phase}`);
    },
    [wanted, wantedPhase],
  );
}

/** Runs the action, and waits until the machine is no longer where it was before. */
export async function moved(page, action = () => {}) {
  const place = () => document.querySelector("#timeline [role=slider]").getAttribute("aria-valuetext");
  const before = await page.evaluate(place);
  await action();
  await page.waitForFunction((before) => document.querySelector("#timeline [role=slider]").getAttribute("aria-valuetext") !== before, before);
}

export function runButton(page) {
  return page.locator("#run");
}

/** Waits until the machine is paused. */
export async function standing(page) {
  await page.locator("#run", { hasText: "Run" }).waitFor();
}

/** Sets the speed: a number of steps above the slowest, or "max". */
export async function setSpeed(page, step) {
  const slider = page.getByRole("slider", { name: "Speed" });
  await slider.evaluate((slider, step) => {
    slider.value = step === "max" ? slider.max : String(step);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, step);
}

/** Replaces the text of the editor, as typing does. */
export async function type(page, text) {
  await showView(page, "Source");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** Opens a program through the file chooser. */
export async function openFile(page, name, text) {
  await page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator("#name", { hasText: name }).waitFor({ state: "attached" }); // a phone does not show it
  await page.waitForFunction((text) => document.querySelector(".cm-content").innerText.includes(text), text.split("\n")[0].trim());
}

/** Shows a view on a narrow screen. On a wide one all are visible. */
export async function showView(page, view) {
  const button = page.locator("#bar").getByRole("button", { name: view });
  if (await button.isVisible()) await button.click();
}

/** The file that the page saves after `action`. */
export async function saved(page, action) {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

/** The button of an LED, by its row and column. */
export function led(page, row, column) {
  return page.locator("#leds").getByRole("button", { name: `row ${row}, column ${column}:` });
}
