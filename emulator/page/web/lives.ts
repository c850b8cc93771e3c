// The lifetime of the machine: it is created, and replaced if it is lost or takes too long. The source survives.

import type { Banner } from "./banner.js";
import type { Busy, Machine } from "./machine.js";
import type { Session } from "./session.js";
import type { Transport } from "./transport.js";

interface Parts {
  machine: Machine;
  session: Session;
  banner: Banner;
  transport: Transport;
  openFirst(): Promise<void>;
  /** Draws what is the same for every program: the board and the lessons. */
  draw(): Promise<void>;
}

export class Lives {
  /** Whether a first program was opened, and whether everything is drawn. */
  private isOpen = false;
  private isDrawn = false;
  /** Resolves when no machine is being created. Requests made meanwhile wait for it. */
  settled: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  begin(): Promise<void> {
    return this.settle(this.first());
  }

  private async first(): Promise<void> {
    const { session, openFirst } = this.parts;
    if (!(await this.create())) return;
    await session.careful(async () => {
      await openFirst();
      this.isDrawn = true;
    });
    this.isOpen = session.program().name !== "";
  }

  /** Reports that the machine was lost (the source is not). */
  lost(text: string): void {
    const { banner, transport } = this.parts;
    transport.show(false, 0);
    banner.wrong(`The machine has stopped working: ${text}. Your program is safe.`, {
      label: "Start it again",
      action: () => void this.settle(this.again()),
    });
  }

  /** Ends a request that takes too long, by replacing the machine, since a busy one cannot receive messages. */
  interrupt(busy: Busy | null): Promise<void> {
    return this.settle(this.replace(busy));
  }

  private async replace(busy: Busy | null): Promise<void> {
    const { session, banner } = this.parts;
    if (!(await this.create())) return;
    // A source that takes too long to assemble is not assembled again automatically.
    const isSource = busy === "check" || busy === "load";
    if (isSource) session.forget();
    else await session.begin();
    await this.complete();
    banner.notice(isSource ? "Stopped. The program is assembled again when you change it or run it." : "Stopped. The machine has begun anew.");
  }

  /** Creates another machine, with the program that is in the editor. */
  private async again(): Promise<void> {
    const { machine, session, banner } = this.parts;
    if (!this.isOpen) return this.first();
    if (!(await this.create())) return;
    await session.begin();
    await this.complete();
    if (machine.isThere()) banner.notice("The machine has begun anew.");
  }

  /** Draws what could not be drawn before. */
  private async complete(): Promise<void> {
    if (this.isDrawn) return;
    await this.parts.session.careful(async () => {
      await this.parts.draw();
      this.isDrawn = true;
    });
  }

  private settle(work: Promise<void>): Promise<void> {
    this.settled = work.catch(() => {});
    return work;
  }

  /** Creates a machine; returns whether that was possible. The machine reports a failure. */
  private async create(): Promise<boolean> {
    try {
      await this.parts.machine.begin();
      return true;
    } catch {
      return false;
    }
  }
}
