// Roving focus: a group of controls is a single stop for the Tab key, and arrow keys lead from control to control.

type Control = HTMLElement | SVGElement;

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Roving {
  /** Identifies the Tab stop, also after the controls were replaced. */
  private stop = "";

  /** `moved` is called when a key has moved the focus to a control. */
  constructor(private readonly at: Element, private readonly selector = "button", private readonly moved = (_: Control) => {}) {
    at.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
    at.addEventListener("focusin", ({ target }) => this.refresh(target as Control));
    // The Tab stop may be hidden by now, as tools are that the open pane does not need.
    document.addEventListener("keydown", ({ key }) => key === "Tab" && isVisible(at) && this.refresh(), true);
    this.refresh();
  }

  /** Chooses the Tab stop: this control, or the one before, or the first. To be called after controls were replaced. */
  refresh(to?: Control): void {
    const controls = this.controls();
    const before = controls.find((control, index) => keyOf(control, index) === this.stop);
    const found = to && controls.includes(to) ? to : before && isVisible(before) ? before : (controls.find(isVisible) ?? controls[0]);
    for (const control of controls) control.tabIndex = control === found ? 0 : -1;
    this.stop = found ? keyOf(found, controls.indexOf(found)) : "";
  }

  private controls(): Control[] {
    return [...this.at.querySelectorAll<Control>(this.selector)];
  }

  private key(event: KeyboardEvent): void {
    const from = event.target as Control;
    const arrow = ARROWS[event.key];
    const isEnd = event.key === "Home" || event.key === "End";
    if (!(arrow || isEnd) || event.ctrlKey || event.metaKey || event.altKey || !from.matches(this.selector)) return;
    event.preventDefault();
    event.stopPropagation();
    const places = this.controls().map((control) => ({ control, box: control.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
    const to = arrow ? nearest(places, from.getBoundingClientRect(), arrow) : lastInRow(places, from.getBoundingClientRect(), event.key === "End");
    if (!to) return;
    to.focus();
    this.moved(to);
  }
}

interface Place {
  control: Control;
  box: DOMRect;
}

const isVisible = (of: Element): boolean => of.getClientRects().length > 0;
const keyOf = ({ dataset }: Control, index: number): string => dataset["focus"] ?? String(index);

/** The nearest control in a direction; a control straight ahead is nearer than one beside the way. */
function nearest(places: readonly Place[], from: DOMRect, [x, y]: [number, number]): Control | undefined {
  let [found, least]: [Control | undefined, number] = [undefined, Infinity];
  for (const { control, box } of places) {
    const dx = box.left + box.width / 2 - from.left - from.width / 2;
    const dy = box.top + box.height / 2 - from.top - from.height / 2;
    const [along, across] = [dx * x + dy * y, Math.abs(dx * y) + Math.abs(dy * x)];
    if (along < 4 || along + 3 * across >= least) continue;
    [found, least] = [control, along + 3 * across];
  }
  return found;
}

/** The first or the last control of a row, or of a column that has no rows. */
function lastInRow(places: readonly Place[], from: DOMRect, isEnd: boolean): Control | undefined {
  const row = places.filter(({ box }) => Math.abs(box.top - from.top) < 4);
  const among = row.length > 1 ? row : places;
  return among.at(isEnd ? -1 : 0)?.control;
}
