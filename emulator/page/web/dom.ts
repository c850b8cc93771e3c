// Making and finding elements: the few typed functions that every pane needs, instead of a framework.

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string | undefined;

/** A new element; `true` is an attribute without a value, `false` and `undefined` are none. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...present(children));
  return made;
}

export function drawn<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...present(children));
  return made;
}

/** The element of the page with this identifier; the page is broken without it. */
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`);
  return found;
}

export function button(label: string, attributes: Attributes, action: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}

/** A row of fields and a button that submits them. */
export function form(submit: HTMLButtonElement | string, submitted: () => void, ...children: Child[]): HTMLFormElement {
  const made = element("form", { class: "toolbar" }, ...children, typeof submit === "string" ? element("button", { type: "submit" }, submit) : submit);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    submitted();
  });
  return made;
}

/** A field for a short text that is not prose. */
export function field(label: string, attributes: Attributes = {}): HTMLInputElement {
  return element("input", { type: "text", "aria-label": label, autocomplete: "off", spellcheck: "false", ...attributes });
}

/** Makes a toggle button; returns the function that sets it. */
export function toggle(id: string, first: boolean, changed: (isOn: boolean) => void): (isOn: boolean) => void {
  const made = find(id, HTMLButtonElement);
  const set = (isOn: boolean) => {
    made.setAttribute("aria-pressed", String(isOn));
    changed(isOn);
  };
  made.addEventListener("click", () => set(made.getAttribute("aria-pressed") !== "true"));
  made.setAttribute("aria-pressed", String(first));
  return set;
}

/** Sets a text only if it has changed, to avoid needless layout and announcements by screen readers. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}

/** 1,234,567, with the separators of the documents. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

/** A byte or a word in hexadecimal. */
export function hex(number: number, digits: number): string {
  return number.toString(16).toUpperCase().padStart(digits, "0");
}

function set(of: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    of.setAttribute(name, value === true ? "" : String(value));
  }
}

function present(children: Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== undefined);
}
