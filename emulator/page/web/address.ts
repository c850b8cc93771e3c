// The query of the page's address: a program, a lesson, a level, a pane, or a page for embedding. Links are in link.ts.
//
//     gray1.html?program=life.g1&run        opens a shipped program, which runs
//     gray1.html?lesson=3                   opens a lesson
//     gray1.html?level=4                    opens a level of the bench
//     gray1.html#waves                      opens a pane: lesson, bench, board, chip, ram, waves, why, or leds, source, inside
//     gray1.html?embed&program=life.g1      LEDs, Run and speed only, for a frame on another page

export interface Asked {
  program: string | null;
  lesson: number | null;
  level: number | null;
  view: string | null;
  isEmbedded: boolean;
  runs: boolean;
}

export function asked({ search, hash }: Pick<Location, "search" | "hash">): Asked {
  const query = new URLSearchParams(search);
  const number = (name: string) => {
    const number = Number(query.get(name));
    return Number.isInteger(number) && number > 0 ? number : null;
  };
  return {
    program: query.get("program"),
    lesson: number("lesson"),
    level: number("level"),
    view: /^#[a-z]+$/.test(hash) ? hash.slice(1) : null,
    isEmbedded: query.has("embed"),
    runs: query.has("run"),
  };
}
