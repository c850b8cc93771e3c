// Makes a link to the present state of the page, and follows links.

import type { Banner } from "./banner.js";
import { fragment, linked, LONG_LINK, type Linked } from "./link.js";

export class Links {
  constructor(
    opener: HTMLButtonElement,
    private readonly banner: Banner,
    private readonly content: () => Promise<{ linked: Linked; isPartial: boolean }>,
  ) {
    opener.addEventListener("click", () => void this.make().catch((error: Error) => banner.wrong(`No link could be made: ${error.message}.`)));
  }

  /** The content of the page's address. */
  async followed(): Promise<Linked | null> {
    try {
      return await linked(location.hash);
    } catch (error) {
      this.banner.wrong(`The link could not be followed: ${(error as Error).message}.`);
      return null;
    }
  }

  /** Removes the link from the address, so that a reload brings back what is open and not the content of the link. */
  leave(): void {
    if (location.hash) history.replaceState(null, "", location.href.replace(/#.*$/s, ""));
  }

  /** Puts the link into the address line, and on the clipboard if that is permitted. */
  private async make(): Promise<void> {
    const { linked, isPartial } = await this.content();
    const hash = await fragment(linked);
    history.replaceState(null, "", hash);
    const edits = isPartial ? " What you changed in RAM and registers is not in it; a saved state has that." : "";
    const length = hash.length > LONG_LINK ? " It is long: some programs for mail cut such links off; the source as a file is safer." : "";
    const isFile = location.protocol === "file:" ? " It begins with the place of this file on your computer: for others, put what follows the # behind the address of their copy." : "";
    try {
      await navigator.clipboard.writeText(location.href);
      this.banner.notice(`The link is on the clipboard. It holds the program and this moment of its run.${edits}${isFile}${length}`);
    } catch {
      this.banner.notice(`The link is in the address line, to be copied. It holds the program and this moment of its run.${edits}${isFile}${length}`);
    }
  }
}
