// The texts of a board while it is changed, for Undo and Redo.

/** Maximum number of changes that can be undone. */
const MAX = 200;

export class Boards {
  private at = 0;
  private isTyped = false;
  private texts: string[];

  constructor(text: string) {
    this.texts = [text];
  }

  get now(): string {
    return this.texts[this.at]!;
  }

  /** Takes another text. One that is typed replaces one that was typed just before. */
  take(text: string, isTyped = false): void {
    if (text === this.now) return;
    const kept = this.texts.slice(0, isTyped && this.isTyped ? this.at : this.at + 1);
    this.texts = [...kept, text].slice(-MAX);
    this.at = this.texts.length - 1;
    this.isTyped = isTyped;
  }

  can(way: -1 | 1): boolean {
    return this.texts[this.at + way] !== undefined;
  }

  /** Goes to the text before or after; returns whether there was one. */
  go(way: -1 | 1): boolean {
    if (!this.can(way)) return false;
    this.at += way;
    this.isTyped = false;
    return true;
  }
}
