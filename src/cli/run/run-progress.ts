import { describeSpan } from "../../lib/describe-span.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { textWidth, truncate } from "../../lib/terminal-text.ts";
import type { RunEvent } from "../../run/run.ts";
import type { CommandContext } from "../command-context.ts";
import { openProgress, type Progress } from "../progress.ts";
import { frameMs, spinnerFrame } from "../spinner-frame.ts";

/** What turns at its beginning, and some room behind it for what the shell says of a process that was killed. */
const margin = 12;

/** Less than this of what is being done says nothing. */
const shortest = 20;

/** What is being done at a moment, in a few words. */
interface Doing {
  readonly round: number;
  readonly what: string;
  readonly tokens: number;
}

/** A run may be silent for minutes: on a terminal, a line at its end says what it does, and how long it has. */
export class RunProgress {
  readonly #context: CommandContext;
  readonly #line: Progress;
  readonly #begunMs: number;
  #doing: Doing = { round: 0, what: "beginning", tokens: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#line = openProgress(context);
    this.#begunMs = context.clock.now().getTime();
  }

  /** Shows the line from now on; nothing but `say` may write to the terminal until it ends. */
  begin(): void {
    if (!this.#context.isTerminal.error) return;
    this.#timer = setInterval(() => this.#draw(), frameMs);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#line.clear();
  }

  on(event: RunEvent): void {
    this.#doing = next(this.#doing, event);
  }

  /** Writes lines above it. */
  say(text: string): void {
    if (text === "") return;
    if (this.#timer !== undefined) this.#line.clear();
    this.#context.err(text);
  }

  /** Takes it away while somebody is asked something. */
  async without<Value>(work: () => Promise<Value>): Promise<Value> {
    const isShown = this.#timer !== undefined;
    this.end();
    try {
      return await work();
    } finally {
      if (isShown) this.begin();
    }
  }

  #draw(): void {
    const ms = this.#context.clock.now().getTime() - this.#begunMs;
    const room = (this.#context.columns ?? 80) - margin;
    this.#line.show(`${spinnerFrame()} ${describeDoing(this.#doing, ms, room)}`);
  }
}

/** Says what is being done, for how long, and how to stop it; where there is no room for all, in fewer words. */
export function describeDoing({ round, what, tokens }: Doing, ms: number, room: number): string {
  const before = round === 0 ? "" : `round ${round} · `;
  const told = tokens === 0 ? "" : `${tokens.toLocaleString("en")} tokens · `;
  const after = ` · ${told}${describeSpan(ms)} · Ctrl+C stops`;
  return `${before}${truncate(what, Math.max(shortest, room - textWidth(before + after)))}${after}`;
}

/** Returns what is being done after an event. */
export function next(doing: Doing, event: RunEvent): Doing {
  switch (event.type) {
    case "asked":
      return { ...doing, round: event.round, what: `the ${event.who} is asked` };
    case "thinking":
      return { ...doing, what: `the ${event.who} thinks` };
    case "text":
      return { ...doing, what: `the ${event.who} replies` };
    case "retry":
      return { ...doing, what: `the ${event.who} is asked again in ${describeSpan(event.waitMs)}` };
    case "tool-started":
      return { ...doing, what: `the worker runs ${toPrintableLine(event.description)}` };
    case "tool-saved":
      return { ...doing, what: "the worker goes on" };
    case "ruling-saved":
      return { ...doing, round: event.round };
    case "round-saved":
      return { ...doing, tokens: event.tokens };
    case "objected":
    case "repaired":
    case "not-made":
    case "not-copied":
      return doing;
  }
}
