// Accessibility: a narrow window, the keyboard alone, screen readers, reduced motion, contrast in both themes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCycle, runButton, showView, standing, withPage } from "./browser.mjs";

const NARROW = { viewport: { width: 360, height: 640 }, hasTouch: true };
const VIEWS = ["LEDs", "Source", "Inside"];
const TABS = ["Lessons", "Bench", "Board", "Chip", "RAM", "Waves", "Why?"];

test("in a window of 360 x 640 everything can be reached, and nothing lies beyond the edges", async () => {
  await withPage(async (page) => {
    for (const view of VIEWS) {
      await showView(page, view);
      for (const tab of view === "Inside" ? TABS : [""]) {
        if (tab) await page.getByRole("tab", { name: tab }).click();
        const beyond = await page.evaluate(() =>
          [...document.querySelectorAll("button, select, input, [role=slider], .view, header, footer, nav")]
            .filter((element) => element.checkVisibility() && !element.closest(".tabs, .bench-map, .wave-picture, .ram-body, .board-picture, .cm-editor, .lesson-body, .bench-picture, table, .unseen"))
            .filter((element) => {
              const { left, right, width } = element.getBoundingClientRect();
              return width > 0 && (left < -0.5 || right > innerWidth + 0.5);
            })
            .map((element) => element.outerHTML.slice(0, 120)),
        );
        assert.deepEqual(beyond, [], `${view} ${tab}`);
      }
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await showView(page, "LEDs");
    await runButton(page).tap();
    await page.locator("#run", { hasText: "Pause" }).waitFor();
    await runButton(page).tap();
    await standing(page);
  }, NARROW);
});

test("controls that are touched often are large enough for a finger", async () => {
  await withPage(async (page) => {
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("#run, #steps button, #keys button, #leds .pads button, #bar button")]
        .filter((button) => button.checkVisibility())
        .map((button) => ({ name: button.getAttribute("aria-label") ?? button.textContent, ...button.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => width < 27 || height < 27)
        .map(({ name, width, height }) => `${name}: ${width} x ${height}`),
    );
    assert.deepEqual(small, []);
  }, NARROW);
});

test("by the keyboard alone, every control can be reached, and none traps the focus", async () => {
  await withPage(async (page) => {
    const reached = new Set();
    const describe = () =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at === document.body ? "" : at.id || at.getAttribute("aria-label") || at.textContent.trim().slice(0, 30) || at.className;
      });
    await page.keyboard.press("Tab");
    const first = await describe();
    let steps = 0;
    for (let now = first; steps < 200; steps++) {
      reached.add(now);
      // A toolbar is one stop; its other controls are reached by arrow keys.
      const isTool = () => page.evaluate(() => document.activeElement.matches("[role=toolbar] *"));
      for (let before = ""; (await isTool()) && now !== before; reached.add(now)) {
        before = now;
        await page.keyboard.press("ArrowRight");
        now = await describe();
      }
      await page.keyboard.press("Tab");
      now = await describe();
      if (now === first && steps > 10) break;
    }
    assert.ok(steps < 36, `the focus has not returned to the first control after ${steps} stops`);
    const wanted = ["program-choice", "open", "save", "link", "help", "shapes", "ask", "Key left", "output", "Source of the program", "tab-board", "run", "speed", "Back one phase", "Forward one solution"];
    for (const name of wanted) assert.ok([...reached].some((found) => found.includes(name)), `${name} is not in ${[...reached].join(" | ")}`);
    assert.ok([...reached].some((name) => name.startsWith("row 0, column 0")));
  });
});

test("keys of the page: steps, run and pause, speed, ends", async () => {
  await withPage(async (page) => {
    await page.locator("h1").click();
    await page.keyboard.press("c");
    await atCycle(page, 1);
    await page.keyboard.press("p");
    await atCycle(page, 1, 1);
    await page.keyboard.press("Shift+P");
    await atCycle(page, 1, 0);
    await page.keyboard.press("Shift+C");
    await atCycle(page, 0);
    await page.keyboard.press("o");
    await page.locator("#output", { hasText: "15863724" }).waitFor();
    await standing(page);
    await page.keyboard.press("Home");
    await atCycle(page, 0);
    const speed = page.getByRole("slider", { name: "Speed" });
    const before = Number(await speed.inputValue());
    await page.keyboard.press("+");
    assert.equal(Number(await speed.inputValue()), before + 1);
    await page.keyboard.press("-");
    assert.equal(Number(await speed.inputValue()), before);
    await page.keyboard.press("Space");
    await page.locator("#run", { hasText: "Pause" }).waitFor();
    await page.keyboard.press("Space");
    await standing(page);
  });
});

test("typing in the editor does not control the machine, and Tab and Escape leave the editor", async () => {
  await withPage(async (page) => {
    // Record every position of the machine.
    await page.evaluate(() => {
      const line = document.querySelector("#timeline [role=slider]");
      window.places = [];
      new MutationObserver(() => window.places.push(line.getAttribute("aria-valuetext"))).observe(line, { attributeFilter: ["aria-valuetext"] });
    });
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("; coop + - ");
    await page.getByRole("button", { name: "Forward one phase" }).click();
    await atCycle(page, 0, 1);
    const places = await page.evaluate(() => window.places);
    assert.equal(places.filter((place) => !place.endsWith("phase 0")).length, 1, places.join(" | "));
    assert.ok(places.every((place) => /^cycle 0\b/.test(place)), places.join(" | "));
    await page.locator(".cm-content").click();
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => !document.activeElement.closest("#editor")));
    await page.locator(".cm-content").click();
    await page.keyboard.press("Escape");
    assert.ok(await page.evaluate(() => !document.activeElement.closest("#editor")));
  });
});

test("RAM by the keyboard: one tab stop, and arrow keys within", async () => {
  await withPage(async (page) => {
    await page.getByRole("tab", { name: "RAM" }).click();
    await page.getByRole("button", { name: "All bytes" }).click();
    await page.locator('.ram-table [data-address="0"]').focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp"]) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.address), "17");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.locator(".ram-table .chosen[data-address='31']").waitFor();
    assert.equal(await page.locator(".ram-table [tabindex='0']").count(), 1);
  });
});

test("waves by the keyboard: arrow keys choose a moment, and Enter goes there", async () => {
  await withPage(async (page) => {
    for (let at = 1; at <= 3; at++) {
      await page.getByRole("button", { name: "Forward one instruction" }).click();
      await atCycle(page, at);
    }
    await page.getByRole("tab", { name: "Waves" }).click();
    const picture = page.getByRole("slider", { name: /^The last 8 cycles/ });
    await picture.focus();
    const now = Number(await picture.getAttribute("aria-valuenow"));
    assert.equal(now, 12); // phases
    for (const key of ["PageUp", "ArrowLeft"]) await page.keyboard.press(key);
    assert.equal(await picture.getAttribute("aria-valuetext"), "cycle 1, phase 3");
    await page.keyboard.press("Enter");
    await atCycle(page, 1, 3);
  });
});

test("a key of the machine that is released while the editor has the focus is released", async () => {
  await withPage(async (page) => {
    const isHeld = (held) => page.locator(`#keys button[aria-label="Key a"][aria-pressed="${held}"]`).waitFor();
    await page.locator("h1").click();
    await page.keyboard.down("a");
    await isHeld(true);
    await page.locator(".cm-content").focus();
    await page.keyboard.up("a");
    await isHeld(false);
    // A new run starts with no key held.
    await page.getByRole("button", { name: "Key a" }).click();
    await isHeld(true);
    await page.locator("#program-choice").selectOption("life.g1");
    await isHeld(false);
  });
});

test("every control has a name, in every pane", async () => {
  await withPage(async (page) => {
    for (const tab of TABS) {
      await page.getByRole("tab", { name: tab }).click();
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, input, textarea, [role=slider], [role=button], [tabindex='0'], [role=tabpanel], [role=log]")]
          .filter((element) => element.checkVisibility())
          .filter((element) => {
            const labelled = element.getAttribute("aria-labelledby");
            const name = element.getAttribute("aria-label") || (labelled && document.getElementById(labelled)?.textContent) || element.closest("label")?.textContent || element.textContent;
            return !name.trim();
          })
          .map((element) => element.outerHTML.slice(0, 160)),
      );
      assert.deepEqual(nameless, [], tab);
    }
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.equal(await page.locator("#leds .pads button").count(), 64);
    const twice = await page.evaluate(() => {
      const all = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      return all.filter((id, index) => all.indexOf(id) !== index);
    });
    assert.deepEqual(twice, [], "identifiers that occur twice");
  });
});

test("with reduced motion, nothing moves by itself", async () => {
  await withPage(
    async (page) => {
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll("*")]
          .filter((element) => {
            const style = getComputedStyle(element);
            const isMoving = (times) => times.split(",").some((time) => parseFloat(time) > 0);
            return (style.animationName !== "none" && isMoving(style.animationDuration)) || (style.transitionProperty !== "none" && isMoving(style.transitionDuration));
          })
          .map((element) => element.outerHTML.slice(0, 100)),
      );
      assert.deepEqual(moving, []);
      // The LEDs change rarely, because each picture is an exposure of half a second. The test replaces the clock of the
      // worker by one that advances a millisecond with each reading, so the result does not depend on the computer.
      await page.workers()[0].evaluate(() => {
        let time = performance.now();
        performance.now = () => (time += 1);
        self.times = [];
        const { postMessage } = self;
        self.postMessage = (message, ...others) => {
          if (message.tell === "moment" && message.isRunning) self.times.push(time);
          postMessage.call(self, message, ...others);
        };
      });
      await runButton(page).click();
      await standing(page);
      const times = await page.workers()[0].evaluate(() => self.times);
      // A page that has no time to draw is sent fewer.
      assert.ok(times.length >= 2, `${times.length} pictures`);
      const least = Math.min(...times.slice(1).map((time, at) => time - times[at]));
      assert.ok(least >= 500, `${least} ms between two pictures`);
    },
    { reducedMotion: "reduce" },
  );
});

for (const colorScheme of ["light", "dark"]) {
  test(`text in the ${colorScheme} theme has a contrast of at least 4.5`, async () => {
    await withPage(
      async (page) => {
        for (const tab of TABS) {
          await page.getByRole("tab", { name: tab }).click();
          assert.deepEqual(await page.evaluate(faint), [], tab);
        }
      },
      { colorScheme },
    );
  });
}

/** Runs in the page: the texts whose contrast with their background is below 4.5. */
function faint() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const pixel = (colour, behind) => {
    context.fillStyle = behind ? `rgb(${behind.join(" ")})` : "#fff";
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const behind = (element) => {
    const colours = [];
    for (let at = element; at; at = at.parentElement) colours.unshift(getComputedStyle(at).backgroundColor);
    return colours.reduce((under, colour) => pixel(colour, under), [255, 255, 255]);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!hasText || element instanceof SVGElement || !element.checkVisibility() || element.closest("script, style, option, .unseen")) continue;
    const under = behind(element);
    const [one, other] = [light(pixel(getComputedStyle(element).color, under)), light(under)].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) found.push(`${contrast.toFixed(1)}: ${element.textContent.trim().slice(0, 40)} (${element.className || element.tagName})`);
  }
  return [...new Set(found)].slice(0, 10);
}
