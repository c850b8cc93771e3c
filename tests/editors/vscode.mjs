// A session in Visual Studio Code (code-server in headless Chromium): opens a program with an error, applies the fix, hovers,
// renames; sets a breakpoint, runs, steps, steps back, views a variable; asks for the costs of the program.
//
//     node vscode.mjs ADDRESS PROGRAM with|without   the address of code-server, the file to open, whether gray1 is in PATH
//
// PLAYWRIGHT is the package.json of a folder with playwright-core, CHROMIUM a browser, SCREENS a folder for screenshots.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const { chromium } = createRequire(process.env.PLAYWRIGHT)("playwright-core");
const [address, program, word] = process.argv.slice(2);
const patience = 60_000;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(patience);

let pictures = 0;
const picture = async (name) => {
  pictures += 1;
  if (process.env.SCREENS) {
    await page.screenshot({ path: `${process.env.SCREENS}/${word}-${pictures}-${name.replaceAll(" ", "-")}.png` });
  }
};
const see = async (what, look) => {
  for (const end = Date.now() + patience; !(await look().catch(() => false)); await page.waitForTimeout(100)) {
    if (Date.now() > end) {
      console.log(`not so: ${what}`);
      await picture(`not so ${what}`);
      process.exit(1);
    }
  }
  await picture(what);
  console.log(`seen: ${what}`);
};
const there = (selector) => async () => (await page.locator(selector).count()) > 0;
const gone = (selector) => async () => (await page.locator(selector).count()) === 0;
const says = (selector, text) => there(`${selector}:has-text(${JSON.stringify(text)})`);
const saved = (text) => async () => {
  await page.keyboard.press("Control+s");
  return readFileSync(program, "utf8").includes(text);
};
// Types into the command palette: a command after `>`, a position after `:`.
const choose = async (text) => {
  await page.keyboard.press("F1");
  const box = page.locator(".quick-input-widget input[type=text]").first();
  await box.waitFor({ state: "visible" });
  await box.fill(text);
  if (text.startsWith(">")) {
    await page.locator(`.quick-input-list .monaco-list-row:has-text(${JSON.stringify(text.slice(1))})`).first().waitFor();
  }
  await page.keyboard.press("Enter");
  await box.waitFor({ state: "hidden" });
};
const command = (name) => choose(`>${name}`);
const goTo = (line, column) => choose(`:${line}:${column}`);
const stopsAt = (line) => async () =>
  (await page.locator(".debug-call-stack .monaco-list-row .line-number").first().textContent()).startsWith(`${line}:`);

const language = async () => {
  await see("the error", there(".squiggly-error"));
  await command("Problems: Focus on Problems View");
  await see("what is wrong", says(".markers-panel", "unknown name `limt`"));
  await page.keyboard.press("Control+1");
  await goTo(5, 9);
  await page.keyboard.press("Control+.");
  await see("the fix on offer", there(".action-widget .action:has-text('limit')"));
  await page.keyboard.press("Enter");
  await see("the fix", saved("lda  #limit"));
  await see("no error any more", gone(".squiggly-error"));
  await goTo(5, 9);
  await command("Show or Focus Hover");
  await see("the hover", says(".monaco-hover", "8 = $08"));
  await page.keyboard.press("Escape");
  await goTo(5, 9);
  await page.keyboard.press("F2");
  await page.locator(".rename-box input").fill("width");
  await see("the field for a name", there(".rename-box input"));
  await page.keyboard.press("Enter");
  await see("the new name", saved("width = 8"));
  await see("the new name where it is used", saved("lda  #width"));
  await command("Format Document");
  await see("the layout", saved("\n      lda  #width"));
};

const debugging = async () => {
  await goTo(6, 1);
  await page.keyboard.press("F9");
  await see("the breakpoint", there(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified"));
  await page.keyboard.press("F5");
  await see("the first instruction", stopsAt(5));
  await page.keyboard.press("F5");
  await see("a stop at the breakpoint", stopsAt(6));
  await page.keyboard.press("F10");
  await see("a step", stopsAt(7));
  // The list is rebuilt after a step, and a click on an entry that is being replaced is lost.
  await see("a variable", async () => {
    const folded = page.locator(".debug-variables [aria-label^='Scope RAM'][aria-expanded=false]");
    await folded.click({ timeout: 1000 }).catch(() => {});
    return there(".debug-variables .monaco-list-row[aria-label^='n, value 8']")();
  });
  await page.locator(".debug-toolbar .codicon-debug-step-back").click();
  await see("a step back", stopsAt(6));
  await page.locator(".debug-toolbar .codicon-debug-stop").click();
  await see("the end", async () => page.locator(".debug-toolbar").isHidden());
};

const commands = async () => {
  await command("Gray-1: Show what it costs");
  await see("the listing", says(".view-lines", "words  cycles"));
  await page.keyboard.press("Control+1");
  await command("Gray-1: Run on the LEDs");
  await see("the run", says(".xterm-rows", "●"));
};

// The server may still be starting.
await see("the server", async () => (await fetch(address)).ok);
await page.goto(`${address}/?folder=${dirname(program)}&payload=${encodeURIComponent(
  JSON.stringify([["openFile", `vscode-remote://${new URL(address).host}${program}`]]),
)}`);
await see("the program", there(".view-lines .view-line"));
if (word === "without") {
  await see("that gray1 is not there", says(".notification-toast", "cannot be started"));
  await page.locator(".notification-toast .codicon-notifications-clear").click();
  await see("that it was said", gone(".notification-toast"));
  await page.keyboard.press("F5");
  await see("why nothing can be debugged", says(".notification-toast", "cannot be started"));
} else {
  await language();
  await debugging();
  await commands();
}
await browser.close();
