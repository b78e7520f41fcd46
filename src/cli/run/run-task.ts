import { AppError, ioError, usageError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { describeSpan } from "../../lib/describe-span.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { SessionRescued } from "../../lib/rescue-file.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { Style } from "../../lib/style.ts";
import type { StopReason } from "../../run/next-step.ts";
import type { Run } from "../../run/open-run.ts";
import { listLeftOut } from "../../run/resume-run.ts";
import type { ProposedCall, RunEvent, RunOutcome, Speaker } from "../../run/run.ts";
import { requireTask } from "../../run/start-run.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import { using } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { Interrupted } from "../interrupted.ts";
import { renderPreview, saysAll } from "../render-preview.ts";
import { describeDollars, describeRestored } from "./describe-restored.ts";
import { offerFolder, openOrOffer } from "./offer-kept-runs.ts";
import { openAsked, type RunRequest } from "./open-asked.ts";
import { RunProgress } from "./run-progress.ts";

/** Drives a run from its beginning, or from where it stopped, and says at its end how to go on with it. */
export async function runTask(
  context: CommandContext,
  request: RunRequest,
): Promise<Pick<Run, "session" | "replays">> {
  if (!request.isResume && request.replay === undefined) requireTask(request.text ?? "");
  if (!request.yes && !context.isTerminal.input)
    throw usageError(
      "nobody-to-ask",
      "Nobody can be asked here before the worker writes or runs something.",
      {
        hint: "Allow everything with `--yes`, or use a terminal.",
      },
    );
  if (request.isResume && looksLikeRun(request.text))
    context.warn(`"${request.text}" is taken as an instruction; --session names a run.`);
  // By the end of the run the folder may be gone.
  const here = context.cwd;
  const face = new RunFace(context.errorStyle);
  const progress = new RunProgress(context);
  let asked: Speaker | undefined;
  const tell = (event: RunEvent) => {
    if (event.type === "asked") asked = event.who;
    if (request.json) return context.out(`${renderJson(event)}\n`);
    progress.on(event);
    progress.say(face.render(event));
  };
  const signal = context.catchSignals();
  const approve = async (asked: ProposedCall) => {
    progress.say(face.renderAsked(asked, await asked.preview(), context.columns ?? 80));
    return progress.without(() => context.confirm("Do you allow this?"));
  };
  const run = await openOrOffer(context, request, () => openAsked(context, request, { tell, approve }));
  const resumeLine = renderResumeLine(run, here);
  const { uncopied } = await using(run, async () => {
    tellOpened(context, request, run);
    await offerFolder(context, request);
    signal.addEventListener("abort", () => tellStopping(context, progress), { once: true });
    try {
      if (!request.json) progress.begin();
      const outcome = await run.drive(signal).finally(() => progress.end());
      tellOutcome(context, request, outcome, resumeLine);
      return outcome;
    } catch (error) {
      // No error is reported of a run that was asked to stop, which could say how to go on.
      if (error instanceof Interrupted) context.err(`${resumeLine}\n`);
      const file = error instanceof SessionRescued ? error.file : undefined;
      throw toRunFailure(error, renderResumeLine(run, here, file), asked);
    }
  });
  if (uncopied !== undefined)
    throw ioError("not-copied", `The copy of the session could not be written. ${uncopied}`, {
      hint: "Everything is in the store.",
    });
  return run;
}

/** What stands behind --resume is an instruction, although it may be meant as the name of a run. */
function looksLikeRun(text = ""): boolean {
  return /^(?:latest|session-\d{8}-\d{6}-[\w-]+)$/.test(text.trim());
}

/** What runs is given a moment to end. */
function tellStopping({ isTerminal }: CommandContext, progress: RunProgress): void {
  // The terminal has just shown ^C.
  if (isTerminal.error) progress.say("\nStopping. Press Ctrl+C again to end at once.\n");
}

function tellOpened(
  context: CommandContext,
  { json }: RunRequest,
  { session, restored, replays }: Run,
): void {
  if (json) {
    const origin = replays === undefined ? {} : { replays };
    context.out(`${renderJson({ type: "opened", session, restored: restored ?? null, ...origin })}\n`);
    return;
  }
  if (restored !== undefined) context.err(describeRestored(restored));
  const origin = replays === undefined ? "" : `, a replay of ${replays}`;
  context.err(`Session ${session}${origin}\n`);
}

const stops: Readonly<Record<Exclude<StopReason, "done">, string>> = {
  rounds: "The limit of rounds is reached.",
  tokens: "The limit of tokens is reached.",
  time: "The limit of time is reached.",
  cost: "The limit of cost is reached.",
  stalled: "The last rounds changed nothing and found out nothing new.",
  unclear: "The instructor did not say what is next, although it was asked again.",
};

function tellOutcome(
  context: CommandContext,
  { json }: RunRequest,
  outcome: RunOutcome,
  resumeLine: string,
): void {
  const { reason, summary, cost } = outcome;
  if (json) context.out(`${renderJson({ type: "stopped", ...outcome, summary: summary ?? null })}\n`);
  else if (summary !== undefined) context.out(`${toPrintable(summary)}\n`);
  if (!json && cost !== undefined) context.err(`Cost so far: ${describeDollars(cost)}\n`);
  if (reason === "done") return;
  if (reason === "stalled" || reason === "unclear") throw circling(stops[reason]);
  context.err(`${stops[reason]}\n${resumeLine}\n`);
}

function circling(message: string): AppError {
  return usageError("run-stalled", `The run was stopped. ${message}`, {
    hint: "Look at it with `carryon show latest`, and resume it with further instructions.",
  });
}

/** Says how a run is gone on with from a folder; where it worked in another one, or is only in a file, that is named. */
function renderResumeLine(
  { session, folder }: Pick<Run, "session" | "folder">,
  here: string,
  file?: string,
): string {
  const which =
    file === undefined ? `--session ${renderShellWord(session)}` : `--session-file ${renderShellWord(file)}`;
  const place = folder === here ? "" : ` -d ${renderShellWord(folder)}`;
  return `Resume with: carryon run --resume ${which}${place}`;
}

/** What to do where the hint of an error is for a chat, by its code. */
const hints: Readonly<Record<string, (asked: Speaker) => string>> = {
  "model-not-found": (asked) => `It is the ${asked}'s: name another one with ${options[asked]}.`,
  "context-too-long": (asked) => `It is the ${asked}'s: name one that holds more with ${options[asked]}.`,
  "model-lost": () => "What had come of it is kept.",
  "model-silent": () => "What had come of it is kept.",
};

const options: Readonly<Record<Speaker, string>> = { instructor: "-i", worker: "-w" };

/** Returns the error that ended a run, with how to go on after it. What is no error of anybody stays as it is. */
function toRunFailure(error: unknown, resumeLine: string, asked: Speaker = "instructor"): unknown {
  if (!(error instanceof AppError)) return error;
  const { message, kind, code, cause } = error;
  const hint = hints[code]?.(asked) ?? error.hint;
  const lines = [...(hint === undefined ? [] : [hint]), resumeLine];
  return new AppError(message, { kind, code, hint: lines.join("\n"), cause });
}

/** How much of an instruction or a report is shown; the session has all of it. */
const longest = 400;

/** Turns what happens in a run into lines for a person. */
class RunFace {
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
