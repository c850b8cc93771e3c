// The button that lays the source out, as `gray1 fmt` does.

import type { Editor } from "./editor.js";
import type { Machine } from "./machine.js";
import type { Session } from "./session.js";

interface Parts {
  machine: Machine;
  session: Session;
  editor: Editor;
}

export function formatButton(opener: HTMLButtonElement, { machine, session, editor }: Parts): void {
  opener.addEventListener("click", () => {
    void session.careful(async () => {
      const text = editor.text();
      const laidOut = (await machine.ask({ ask: "format", text }, "text")).text;
      if (editor.text() === text) editor.replaceText(laidOut); // otherwise the user has typed meanwhile
    });
  });
}
