// The keyboard shortcuts of the page. They are those of the debugger's screen; as in the machine's window, keys of the
// machine have precedence.

import type { Keys } from "./keys.js";
import type { Goal, Way } from "./protocol.js";
import { STEPS } from "./transport.js";

interface Movements {
  toggle(): void;
  step(way: Way, goal: Goal): void;
  toStart(): void;
  toEnd(): void;
  ahead(): void;
  isMoving(): boolean;
}

interface Actions {
  keys(): Keys | null;
  goTo(): void;
  changeSpeed(by: number): void;
  /** Whether keys that are single characters control the machine; they can be turned off, since speech input types them. */
  hasLetters(): boolean;
}

/** Elements that need letters, or arrow keys, for themselves. */
const TYPING = "input:not([type=range]):not([type=file]), textarea, select, [contenteditable=true], [role=textbox], dialog[open], .benching";
const ARROWS = "input[type=range], [role=slider], [role=tab], [role=menu], .tab-panel, pre";
/** Elements that Space and Enter operate. */
const OPERATED = "button, a, summary, [role=button]";

export function listenToKeyboard(movement: Movements, actions: Actions): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isFor(event, TYPING)) return;
    if (taken(event, movement, actions)) event.preventDefault();
  });
  // Listens everywhere, so that a key of the machine is released wherever the focus is.
  document.addEventListener("keyup", (event) => actions.keys()?.keyboard(event, false));
}

/** Carries out a shortcut; returns whether the key is one. */
function taken(event: KeyboardEvent, movement: Movements, actions: Actions): boolean {
  const { key } = event;
  const isMoving = key.startsWith("Arrow") || key === "Home" || key === "End" || key.startsWith("Page");
  if (isMoving && isFor(event, ARROWS)) return false;
  if ((key === " " || key === "Enter") && isFor(event, OPERATED)) return false;
  if (key.length === 1 && key !== " " && !actions.hasLetters()) return false;
  if (actions.keys()?.keyboard(event, true)) return true;
  const step = STEPS.find((step) => step.key === key.toLowerCase() && key.length === 1);
  if (step) event.repeat && movement.isMoving() ? undefined : movement.step(key === step.key ? "forward" : "back", step.goal);
  else if (key === " ") event.repeat ? undefined : movement.toggle();
  else if (key === "Home") movement.toStart();
  else if (key === "End") event.shiftKey ? movement.ahead() : movement.toEnd();
  else if (key.toLowerCase() === "g") actions.goTo();
  else if (key === "-") actions.changeSpeed(-1);
  else if (key === "+" || key === "=") actions.changeSpeed(1);
  else return false;
  return true;
}

function isFor(event: KeyboardEvent, selector: string): boolean {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}
