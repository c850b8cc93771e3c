// Making a link to what is seen, and following one.

import type { Banner } from "./banner.js";
import { fragment, linked, LONG_LINK, type Linked } from "./link.js";

export class Links {
  constructor(
    opener: HTMLButtonElement,
    private readonly banner: Banner,
    private readonly content: () => Promise<Linked>,
  ) {
    opener.addEventListener("click", () => void this.make());
  }

  /** What the address of the page leads to. */
  async followed(): Promise<Linked | null> {
    try {
      return await linked(location.hash);
    } catch (error) {
      this.banner.wrong(`The link could not be followed: ${(error as Error).message}.`);
      return null;
    }
  }

  /** Puts the link into the address line, and on the clipboard if that may be used. */
  private async make(): Promise<void> {
    const hash = await fragment(await this.content());
    history.replaceState(null, "", hash);
    const length = hash.length > LONG_LINK ? " It is long: some programs for mail cut such links off; the source as a file is safer." : "";
    const isFile = location.protocol === "file:" ? " It opens the program in this file, wherever the file is." : "";
    try {
      await navigator.clipboard.writeText(location.href);
      this.banner.notice(`The link is on the clipboard. It holds the program and this moment of its run.${isFile}${length}`);
    } catch {
      this.banner.notice(`The link is in the address line, to be copied. It holds the program and this moment of its run.${isFile}${length}`);
    }
  }
}
