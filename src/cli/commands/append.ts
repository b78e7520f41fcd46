import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { AppError, isSystemError, usageError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { readFailed } from "../../lib/file-error.ts";
import { type JsonlLine, readJsonl } from "../../lib/jsonl.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import { EntryConflict, EntryNotFound, LeaseLost, SessionWentBack } from "../../sessions/errors.ts";
import { makeEntryId } from "../../sessions/ids.ts";
import { parseNewEntry } from "../../sessions/parse-new-entry.ts";
import type { NewSession } from "../../sessions/session.ts";
import { newSessionId, nextMoment, parseTitle, stopped } from "../../sessions/session-events.ts";
import { beginSession, holdSession, type SessionTarget } from "../../sessions/session-writer.ts";
import { findHere, writeHere } from "../../workspace/open-here.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { inBatches } from "../append/in-batches.ts";
import { untilAborted } from "../append/until-aborted.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { leaseDuration } from "../lease-duration.ts";
import { indexStore } from "../search/show-indexing.ts";

export const command = defineCommand({
  details:
    'A line is {"role":"user","text":"…"} (or assistant, or tool), or a whole entry as in docs/formats/entry.md, of at most 64 MB. ' +
    "Prints the session first, then the number and id of each entry, only after it is on disk. " +
    "A new session is made with its first entry: where no line is accepted, there is none.",
  examples: [
    { line: `echo '{"role":"user","text":"Hello"}' | carryon append`, does: "Record a first message" },
    {
      line: 'carryon append --title "Fix the login" talk.jsonl',
      does: "Record a file as a session with a title",
    },
    { line: "carryon append --session latest more.jsonl", does: "Add to the newest session of this project" },
  ],
  define: (command) =>
    command
      .argument("[file]", "JSON lines to record; standard input for - or without one")
      .addOption(new Option("--session <id>", "Add to this session instead of a new one").conflicts("title"))
      .option("--title <title>", "The title of the new session; by default its first words")
      .option("--keep-going", "Skip bad lines instead of stopping at the first; the exit code is still 2"),
  run: async (context, [file = "-"], { session: id, title, keepGoing }) => {
    const lease = { program: "carryon append", now: context.clock.now(), ...leaseDuration(context) };
    const lines = await openLines(context, file);
    if (file === "-" && context.isTerminal.input) context.err("One JSON object per line; Ctrl-D ends.\n");
    await writeHere(context, async (here) => {
      const { store } = here;
      const target =
        id === undefined
          ? beginSession(store, planSession(context, here, title), lease)
          : await holdSession(store, await findHere(context, here, id), lease);
      context.out(`${renderJson({ session: target.session })}\n`);
      const index = () => indexStore(context, store);
      await appendLines(lines, { context, target, index, keepGoing: keepGoing === true });
    });
  },
});

function planSession(context: CommandContext, here: Workspace, text?: string): NewSession {
  const title = text === undefined ? undefined : parseTitle(text);
  const startedAt = context.clock.now();
  return {
    id: newSessionId(context, startedAt, title),
    project: here.project.id,
    client: "carryon-append",
    ...(title === undefined ? {} : { title }),
    cwd: here.cwd,
    branch: here.branch,
    machine: context.machine,
    startedAt,
  };
}

const batchSize = 64;
/** So many entries are indexed at once; the next search takes fewer in before anybody notices. */
const indexedAtOnce = 2000;

interface ParsedLine {
  readonly number: number;
  readonly entry: NewEntry;
}

interface AppendJob {
  readonly context: CommandContext;
  readonly target: SessionTarget;
  /** Takes what was appended into the search index. */
  readonly index: () => Promise<void>;
  /** Whether a bad line is skipped instead of being the end. */
  readonly keepGoing: boolean;
}

/** Appends lines to one session, acknowledges each entry once it is on disk, and records how the input ended. */
async function appendLines(lines: AsyncIterable<JsonlLine>, job: AppendJob): Promise<void> {
  const signal = job.context.catchSignals();
  const run = new AppendRun(job);
  try {
    for await (const batch of inBatches(untilAborted(lines, signal), batchSize)) await run.take(batch);
  } catch (error) {
    // After a failure of the store there is no place to record anything, and a session that was taken over is not ours.
    // It is not given back either: that its writer is gone says that it was interrupted.
    if (error instanceof AppError && isAboutInput(error)) await run.stop("interrupted");
    throw error;
  }
  await run.stop(signal.aborted ? "interrupted" : "ended");
  signal.throwIfAborted();
  if (run.skipped > 0) throw linesSkipped(run);
}

class AppendRun {
  readonly #job: AppendJob;
  #last: Date;
  /** Entries that are on disk. */
  saved = 0;
  skipped = 0;
  #indexed = 0;

  constructor(job: AppendJob) {
    this.#job = job;
    this.#last = job.target.since;
  }

  /** Saves the good lines up to each bad one before it deals with that. */
  async take(lines: readonly JsonlLine[]): Promise<void> {
    let good: ParsedLine[] = [];
    for (const line of lines) {
      const parsed = this.#parse(line);
      if (!(parsed instanceof AppError)) good.push(parsed);
      else {
        await this.#save(good);
        good = [];
        this.#reject(line.number, parsed);
      }
    }
    await this.#save(good);
  }

  /** Records how the input ended and gives the session back; one to which nothing was added stays as it is. */
  async stop(status: "ended" | "interrupted"): Promise<void> {
    const { context, target } = this.#job;
    if (this.saved > 0) {
      const now = context.clock.now();
      const at = nextMoment(now, this.#last);
      const entry = stopped(makeEntryId(now, context.random), at, status);
      await target.append([entry]);
    }
    await target.release();
  }

  #parse(line: JsonlLine): ParsedLine | AppError {
    if (line.type === "rejected") return notAnEntry(line.reason);
    const { context, target } = this.#job;
    const now = context.clock.now();
    // Later than the end of a session that had ended, although the clock may have been set back: a message reopens it.
    const at = nextMoment(now, target.since);
    try {
      const entry = parseNewEntry(line.value, { now: at, entryId: () => makeEntryId(now, context.random) });
      return { number: line.number, entry };
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  async #save(lines: readonly ParsedLine[]): Promise<void> {
    try {
      await this.#append(lines);
    } catch (error) {
      if (!isAboutEntry(error)) throw error;
      await this.#saveOneByOne(lines);
    }
  }

  /** A batch is stored whole or not at all: after a line that the log refuses, those before it are still to be saved. */
  async #saveOneByOne(lines: readonly ParsedLine[]): Promise<void> {
    for (const line of lines) {
      try {
        await this.#append([line]);
      } catch (error) {
        if (!isAboutEntry(error)) throw error;
        this.#reject(line.number, refusedByLog(error, line.entry));
      }
    }
  }

  async #append(lines: readonly ParsedLine[]): Promise<void> {
    const { context, target } = this.#job;
    const entries = lines.map(({ entry }) => entry);
    if (entries.length === 0) return;
    const receipts = await target.append(entries);
    this.saved += entries.length;
    for (const { at } of entries) if (at > this.#last) this.#last = at;
    context.out(receipts.map(({ seq, id }) => `${renderJson({ seq, id })}\n`).join(""));
    await context.drained();
    if (this.saved - this.#indexed < indexedAtOnce) return;
    this.#indexed = this.saved;
    await this.#job.index();
  }

  #reject(number: number, reason: AppError): void {
    if (!this.#job.keepGoing) throw badLine(number, reason, this.saved);
    this.skipped += 1;
    this.#job.context.err(`carryon: Line ${number} was skipped: ${toPrintableLine(reason.message)}\n`);
  }
}

function isAboutInput(error: AppError): boolean {
  const isOurs = !(error instanceof LeaseLost || error instanceof SessionWentBack);
  return isOurs && (error.kind === "usage" || error.kind === "conflict");
}

/** Tells whether the log refused one entry for what it says; any other failure would meet the next entry too. */
function isAboutEntry(error: unknown): error is EntryConflict | EntryNotFound {
  return error instanceof EntryConflict || error instanceof EntryNotFound;
}

/** Says why a line holds no value. */
function notAnEntry(reason: string): AppError {
  const limit = `${maxLineBytes / 1_000_000} MB`;
  const named = reason === "longer than the limit" ? `longer than the limit of ${limit}` : reason;
  return usageError("bad-entry", `It is ${named}.`);
}

/** Says why the log refused the entry of a line. */
function refusedByLog(error: EntryConflict | EntryNotFound, entry: NewEntry): AppError {
  const { kind, code } = error;
  if (error instanceof EntryConflict) {
    const message = `Its id ${entry.id} is already in the session with other content.`;
    return new AppError(message, { kind, code, hint: error.hint, cause: error });
  }
  return new AppError(`Its parent ${entry.parent} is not in the session.`, {
    kind,
    code,
    hint: "Name an entry that is stored before it, or leave the parent out.",
    cause: error,
  });
}

/** Says which line ended the input, and what of it is stored. */
function badLine(number: number, reason: AppError, saved: number): AppError {
  return new AppError(`Line ${number} was refused: ${reason.message} ${describeSaved(saved)}`, {
    kind: reason.kind,
    code: reason.kind === "conflict" ? reason.code : "bad-line",
    hint: reason.hint ?? "Mend the line, or skip bad lines with --keep-going.",
    cause: reason,
  });
}

function describeSaved(saved: number): string {
  if (saved === 0) return "No entry was saved.";
  const before = saved === 1 ? "The entry before it is" : `The ${saved} entries before it are`;
  return `${before} saved, the rest of the input is not.`;
}

/** Says how many lines were left out of an input that was read to its end. */
function linesSkipped({ skipped, saved }: { readonly skipped: number; readonly saved: number }): AppError {
  const others = saved === 0 ? "no entry was saved" : "all others are saved";
  return usageError("lines-skipped", `${plural(skipped, "line")} could not be appended; ${others}.`);
}

/** A longer line is refused: a line is held in memory, several times over. */
const maxLineBytes = 64_000_000;

/** Opens the lines of a file, or of standard input for `-`; a file that cannot be read is refused before anything is recorded. */
async function openLines(context: CommandContext, file: string): Promise<AsyncIterable<JsonlLine>> {
  if (file === "-") return readJsonl(readInput(context.input), { maxLineBytes });
  const path = resolve(context.cwd, file);
  const refused = (reason: string, cause?: unknown) =>
    usageError("input-unreadable", `${path} cannot be read: ${reason}.`, { cause });
  try {
    if ((await stat(path)).isDirectory()) throw refused("it is a folder");
    return readJsonl(path, { maxLineBytes });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isSystemError(error, "ENOENT", "ENOTDIR")) throw refused("it does not exist", error);
    throw refused(error instanceof Error ? error.message : String(error), error);
  }
}

async function* readInput(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* input;
  } catch (error) {
    throw readFailed("Standard input", error);
  }
}
