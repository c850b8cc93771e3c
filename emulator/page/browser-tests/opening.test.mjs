// The page opens from a disk and from a server, without a network, and is small.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { BUILT, FILE_ADDRESS, cycle, ready, runButton, serve, standing, withPage, withProfile } from "./browser.mjs";

const FROM_DISK = { address: FILE_ADDRESS };

test("the time until the first picture is reported", async (t) => {
  await withProfile({}, async ({ context }) => {
    const page = await context.newPage();
    await page.goto(FILE_ADDRESS);
    await ready(page);
    // There is no limit, since it would test the computer. The figure is in the report.
    const passed = await page.evaluate(() => performance.now());
    await page.locator(".block.chip.steady .value", { hasText: /^[0-9A-F]+/ }).first().waitFor();
    t.diagnostic(`first picture of the LEDs, with source and board, after ${Math.round(passed)} ms`);
  });
});

test("the page opens with the queens program, which runs to its end", async () => {
  await withPage(async (page) => {
    assert.match(await page.locator("#program-choice").inputValue(), /queens\.g1/);
    await page.getByRole("slider", { name: "Speed" }).press("End");
    await runButton(page).click();
    await standing(page);
    const lines = (await page.locator("#output").innerText()).trim().split("\n");
    assert.equal(lines.length, 93);
    assert.equal(lines[0], "15863724");
    assert.deepEqual(lines.slice(-2), ["84136275", "92"]);
    assert.ok((await cycle(page)) > 60_000);
  }, FROM_DISK);
});

test("the page makes no network requests", async () => {
  await withPage(async (page, { requests }) => {
    await runButton(page).click();
    await page.locator("#link").click();
    await page.locator(".banner").waitFor();
    const foreign = requests.filter((address) => !/^(blob|data):/.test(address) && address.split("#")[0] !== FILE_ADDRESS);
    assert.deepEqual(foreign, []);
  }, FROM_DISK);
});

test("the page refuses scripts that are not its own, and connections", async () => {
  await withPage(async (page, { faults }) => {
    const refused = await page.evaluate(async () => {
      const refused = [];
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.push(effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "document.title = 'changed'";
      document.body.append(script);
      const image = document.createElement("img");
      image.src = "https://example.org/picture.png";
      document.body.append(image);
      await fetch("https://example.org").catch(() => {});
      await new Promise((done) => setTimeout(done, 100));
      return refused.sort();
    });
    assert.deepEqual(refused, ["connect-src", "img-src", "script-src-elem"]);
    assert.notEqual(await page.title(), "changed");
    // The browser reports what was refused.
    assert.ok(faults.splice(0).every((fault) => /Content.Security.Policy/.test(fault)));
  }, FROM_DISK);
});

test("the folder works on a server and requests only its own files", async () => {
  const { address, close } = await serve(join(BUILT, "site"));
  try {
    await withProfile({}, async ({ open, requests }) => {
      const preview = await fetch(`${address}preview.png`).then((response) => response.arrayBuffer());
      assert.equal(Buffer.from(preview).subarray(1, 4).toString(), "PNG");
      const page = await open(address);
      assert.equal(await page.locator("meta[property='og:image']").getAttribute("content"), "preview.png");
      await page.getByRole("slider", { name: "Speed" }).press("End");
      await runButton(page).click();
      await standing(page);
      assert.match(await page.locator("#output").innerText(), /84136275\s+92\s*$/);
      const asked = requests.filter((url) => url.startsWith("http")).map((url) => url.slice(address.length));
      // The names of files change with their contents, so that no browser keeps an old one.
      const names = asked.sort().map((name) => name.replace(/-[0-9a-f]{10}\./, "-HASH."));
      assert.deepEqual(names, ["", "gray1-HASH.wasm", "page-HASH.js", "style-HASH.css", "worker-HASH.js"]);
    });
  } finally {
    close();
  }
});
