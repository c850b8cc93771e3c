// Shows news of the machine in all parts of the page.

import type { Banner } from "./banner.js";
import type { Changes } from "./changes.js";
import { grouped } from "./dom.js";
import type { Editor } from "./editor.js";
import type { Included } from "./included.js";
import type { Leds } from "./leds.js";
import type { News } from "./machine.js";
import type { Memory } from "./memory.js";
import type { Output } from "./output.js";
import type { Points } from "./points.js";
import type { Moment } from "./protocol.js";
import type { Registers } from "./registers.js";
import type { Session } from "./session.js";
import { PHASES } from "./speed.js";
import type { Timeline } from "./timeline.js";
import type { Transport } from "./transport.js";

/** The greatest speed, in instructions per second, at which the source follows a run. */
const READABLE = 20;

interface Parts {
  session: Session;
  banner: Banner;
  leds: Leds;
  transport: Transport;
  timeline: Timeline;
  changes: Changes;
  registers: Registers;
  output: Output;
  memory: Memory;
  editor: Editor;
  included: Included;
  points: Points;
  /** The cycle up to which the machine runs ahead, if it does; asked when a movement has ended. */
  aheadTo(): number | null;
}

/** Shows the position of the machine in all parts. */
export function show(parts: Parts, { moment, picture, isRunning, rate, ended }: News): void {
  const { session, banner, leds } = parts;
  if (picture) leds.show(picture);
  leds.setStates(moment.leds);
  parts.transport.show(session.isRunning(), rate, moment.halted);
  parts.timeline.show(moment);
  parts.changes.show(moment);
  parts.registers.show(moment);
  parts.output.show(moment.output, moment.sent);
  parts.memory.show(moment);
  showRunning(parts, moment, isRunning);
  parts.points.showHits(moment.hits);
  if (!ended) return;
  const aheadTo = parts.aheadTo();
  if (ended.stop === "goal" && moment.cycle === aheadTo) {
    banner.notice(`The run goes on beyond cycle ${grouped(aheadTo)}. Ask again to run further ahead.`);
  }
  if (ended.stop === "asked") return;
  if (ended.stop === "error" || moment.stuck) banner.wrong(ended.text || (moment.stuck ?? "The machine cannot go on."));
  const where = `cycle ${moment.cycle}, phase ${moment.phase}`;
  const what = { goal: "at", point: "breakpoint at", halted: "halted at", beginning: "the beginning,", limit: "at", error: "stopped at" }[ended.stop];
  banner.announce(`${what} ${where}${ended.text ? `. ${ended.text}` : ""}`);
}

/** Shows the running lines. The source follows a machine that is stopped, or slow enough to be read along. */
function showRunning({ session, transport, editor, included }: Parts, { frames, cycle, start, phase }: Moment, isRunning: boolean): void {
  const isFollowed = !isRunning || transport.speed() <= READABLE * PHASES;
  // At the beginning, the program's own explanation is shown, which is at its top.
  const hasBegun = cycle !== start || phase > 0;
  const root = frames.filter((frame) => frame.is_root).map((frame) => frame.line);
  editor.showRunning(session.isStale() ? [] : root.reverse(), isFollowed && hasBegun);
  const last = frames.at(-1);
  const isIncluded = last && !last.is_root && !session.isStale();
  if (isFollowed) included.follow(isIncluded ? last.file : null, last?.line ?? 0);
  else included.unmark();
}
