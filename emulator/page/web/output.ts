// The output of the program as text; a byte that is not a printable character is shown as a number. It is a log: screen
// readers announce what is added, and not what is shown again after a step back.

/** Maximum number of characters shown; the whole output can be saved. */
const MAX = 20_000;

export class Output {
  private text = "";
  private sent = 0;
  /** The lengths of the pieces that are shown, in bytes of the output. */
  private pieces: number[] = [];

  constructor(private readonly at: HTMLElement) {}

  /** Shows the output; `tail` contains its latest characters, `sent` is its total number of bytes. */
  show(tail: string, sent: number): void {
    const more = sent - this.sent;
    this.sent = sent;
    const follows = more >= 0 && more <= tail.length;
    const isKnown = follows && this.text.endsWith(tail.slice(0, tail.length - more).slice(-200));
    const text = isKnown ? this.text + tail.slice(tail.length - more) : tail;
    if (text === this.text) return;
    const isAtEnd = this.at.scrollTop + this.at.clientHeight >= this.at.scrollHeight - 8;
    this.at.setAttribute("aria-live", isKnown ? "polite" : "off");
    if (!isKnown) {
      this.at.replaceChildren();
      [this.pieces, this.text] = [[], ""];
    }
    this.at.append(readable(text.slice(this.text.length)));
    this.pieces.push(text.length - this.text.length);
    this.text = text;
    while (this.text.length > MAX && this.pieces.length > 1) {
      this.text = this.text.slice(this.pieces.shift());
      this.at.firstChild?.remove();
    }
    this.at.classList.toggle("cut", sent > this.text.length);
    if (isAtEnd) this.at.scrollTop = this.at.scrollHeight;
  }
}

/** Replaces bytes that are not printable by numbers. */
function readable(bytes: string): string {
  return bytes.replace(/[^\n\x20-\x7e]/g, (byte) => `‹${byte.charCodeAt(0)}›`);
}
