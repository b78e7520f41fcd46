import { describeSpan } from "../../lib/describe-span.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { Style } from "../../lib/style.ts";
import { listLeftOut } from "../../run/list-left-out.ts";
import type { ProposedCall, RunEvent } from "../../run/run.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import { renderPreview, saysAll } from "../render-preview.ts";
import { describeDollars } from "./describe-dollars.ts";

/** How much of an instruction or a report is shown; the session has all of it. */
const longest = 400;

/** Turns what happens in a run into lines for a person. */
export class RunFace {
  readonly #style: Style;
  #isFilesTold = false;
  /** The files that are known not to be kept. */
  readonly #leftOut = new Set<string>();
  /** The call that somebody was asked about, and has seen. */
  #asked: string | undefined;

  constructor(style: Style) {
    this.#style = style;
  }

  /** Returns the lines that an event is worth, each with its end. */
  render(event: RunEvent): string {
    return this.#linesOf(event)
      .map((line) => `${line}\n`)
      .join("");
  }

  /** Returns the lines that say what would be done, all of it. */
  renderAsked({ call, description }: ProposedCall, preview: string | undefined, width: number): string {
    this.#asked = call.call;
    const lines =
      preview === undefined || saysAll(description, preview)
        ? []
        : renderPreview(preview, width - 2, this.#style).map((line) => `  ${line}`);
    return [this.#renderCall(description), ...lines].map((line) => `${line}\n`).join("");
  }

  #renderCall(description: string): string {
    return this.#style.yellow(`  → ${cut(description)}`);
  }

  #linesOf(event: RunEvent): readonly string[] {
    switch (event.type) {
      case "ruling-saved":
        return renderRuling(event, this.#style);
      case "retry":
        return [`  ${toPrintableLine(event.reason)} Trying again (${event.attempt} of ${event.attempts}).`];
      case "objected":
        return ["  The instructor did not say what is next, and is asked again."];
      case "tool-started":
        return event.call.call === this.#asked ? [] : [this.#renderCall(event.description)];
      case "tool-saved":
        return event.outcome.failed ? [this.#style.red(`  ✗ ${cut(event.outcome.output)}`)] : [];
      case "repaired":
        return [
          `  ${plural(event.calls.length, "call")} had no result when the run was cut off; the worker is told so.`,
        ];
      case "not-made":
        return [
          `  ${plural(event.calls.length, "call")} with secrets, which are not recorded, could not be made any more; the worker is told so.`,
        ];
      case "not-copied":
        return [`  The copy of the session could not be written. ${toPrintableLine(event.reason)}`];
      case "round-saved":
        return this.#renderRound(event);
      case "asked":
      case "text":
      case "thinking":
        return [];
    }
  }

  #renderRound(event: Extract<RunEvent, { type: "round-saved" }>): readonly string[] {
    const { round, report, tokens, ms, remaining, files, cost } = event;
    const facts = [
      `${tokens.toLocaleString("en")} tokens`,
      describeSpan(ms),
      ...(cost === undefined ? [] : [describeDollars(cost)]),
      ...(remaining === null ? [] : [`${plural(remaining, "round")} left`]),
    ];
    return [
      `  ${cut(report)}`,
      this.#style.dim(`Round ${round} is saved: ${facts.join(", ")}.`),
      ...this.#renderFiles(fieldOf(files, "reason")),
      ...this.#renderLeftOut(listLeftOut(files)),
    ];
  }

  /** Why files are not kept is told once. */
  #renderFiles(reason: unknown): readonly string[] {
    if (typeof reason !== "string" || this.#isFilesTold) return [];
    this.#isFilesTold = true;
    return [toPrintableLine(`The files of the rounds are not kept: ${reason.replace(/\.$/, "")}.`)];
  }

  /** A file that is not kept is told once, whatever becomes of its size. */
  #renderLeftOut(files: readonly string[]): readonly string[] {
    const nameOf = (file: string) => file.replace(/ \([^()]*\)$/, "");
    const added = files.filter((file) => !this.#leftOut.has(nameOf(file)));
    for (const file of added) this.#leftOut.add(nameOf(file));
    return added.length === 0 ? [] : [toPrintableLine(`Not kept of its files: ${added.join(", ")}.`)];
  }
}

function renderRuling(
  { round, ruling }: Extract<RunEvent, { type: "ruling-saved" }>,
  { bold }: Style,
): readonly string[] {
  if (!ruling.shouldContinue) return [];
  const correction = ruling.needsCorrection ? ", a correction" : "";
  return [`${bold(`Round ${round}${correction}:`)} ${cut(ruling.instruction)}`];
}

function cut(text: string): string {
  const line = toPrintableLine(text.slice(0, longest)).trim();
  return text.length > longest ? `${line}…` : line;
}
