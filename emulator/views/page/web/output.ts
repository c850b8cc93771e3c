// The output of the program as text; a byte that is not a printable character is shown as a number.

/** Maximum number of characters shown; the whole output can be saved. */
const MOST = 20_000;

export class Output {
  private text = "";
  private sent = 0;

  constructor(private readonly at: HTMLElement) {}

  /** Shows the output; `tail` contains its latest characters, `sent` is its total number of bytes. */
  show(tail: string, sent: number): void {
    const more = sent - this.sent;
    const follows = more >= 0 && more <= tail.length;
    const isKnown = follows && this.text.endsWith(tail.slice(0, tail.length - more).slice(-200));
    const text = (isKnown && more > 0 ? this.text + tail.slice(tail.length - more) : isKnown ? this.text : tail).slice(-MOST);
    this.sent = sent;
    if (text === this.text && this.at.hasChildNodes()) return;
    this.text = text;
    const isAtEnd = this.at.scrollTop + this.at.clientHeight >= this.at.scrollHeight - 8;
    const shown = readable(text);
    this.at.replaceChildren(sent > text.length ? `… ${shown}` : shown);
    if (text === "") this.at.replaceChildren(nothing());
    if (isAtEnd) this.at.scrollTop = this.at.scrollHeight;
  }
}

/** Replaces bytes that are not printable by numbers. */
function readable(bytes: string): string {
  return bytes.replace(/[^\n\x20-\x7e]/g, (byte) => `‹${byte.charCodeAt(0)}›`);
}

function nothing(): HTMLElement {
  const empty = document.createElement("span");
  empty.className = "empty";
  empty.textContent = "nothing yet";
  return empty;
}
