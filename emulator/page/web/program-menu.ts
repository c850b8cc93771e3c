// The menu of programs: new, rename, and delete, which can be undone.

import type { Banner } from "./banner.js";
import { Menu } from "./menu.js";
import type { Opening } from "./opening.js";
import { question } from "./question.js";
import type { Session } from "./session.js";
import { forgetOwn, keepOwn, ownPrograms } from "./store.js";

const NEW = `; What this program does.

      lda  #%00011000
      sta  RED+3            ; LEDs
      lda  #'!'
      sta  OUT              ; output
halt: jmp  halt
`;
const ENDING = ".g1";

interface Parts {
  session: Session;
  opening: Opening;
  banner: Banner;
  dialog: HTMLDialogElement;
}

export function programMenu(opener: HTMLButtonElement, menu: HTMLElement, { session, opening, banner, dialog }: Parts): void {
  const isTaken = (name: string) => name in ownPrograms() || opening.shippedNames().includes(name);
  const free = (stem: string) => {
    for (let number = 1; ; number++) {
      const name = `${stem}${number > 1 ? `-${number}` : ""}${ENDING}`;
      if (!isTaken(name)) return name;
    }
  };
  const create = () => void opening.open({ name: free("mine"), text: NEW }, null);
  const rename = () => {
    const { name: before } = session.program();
    question(dialog, `Another name for ${before}`, [{ label: "Name", value: before }], ([text = ""]) => {
      const name = text.endsWith(ENDING) || text === "" ? text : text + ENDING;
      if (name === "" || /[/\\]/.test(name)) return "A name has at least one character, and no slash.";
      if (name !== before && isTaken(name)) return `There is a program ${name} already.`;
      opening.rename(name);
      return null;
    });
  };
  const remove = () => {
    const { name } = session.program();
    const kept = ownPrograms()[name];
    if (!kept) return banner.notice(`${name} is not one of your own programs.`);
    void opening.leave(() => forgetOwn(name)).then(() => {
      banner.notice(`${name} is deleted.`, {
        label: "Bring it back",
        action: () => {
          keepOwn(kept);
          void opening.own(name);
        },
      });
    });
  };
  new Menu(opener, menu, [
    { label: "New", about: "an empty program", action: create },
    { label: "Rename…", about: "another name for the program that is open", action: rename },
    { label: "Delete", about: "the program that is open, if it is one of yours", action: remove },
  ]);
}
