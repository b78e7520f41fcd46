import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { Argument } from "@commander-js/extra-typings";
import {
  badNote,
  type GivenOrigin,
  noteWords,
  parseNoteWord,
  toGivenNote,
  toReportedNotes,
  toSource,
} from "../../handover/given-note.ts";
import { type Candidate, type Note, renderNote } from "../../handover/note.ts";
import { findCandidates } from "../../handover/notes.ts";
import { openProjectHandover, type ProjectHandover } from "../../handover/project-handover.ts";
import { isSystemError, usageError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { decodeDocument } from "../../lib/markdown/decode-document.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { suggest } from "../../lib/suggest.ts";
import { locateHandoverHere } from "../../workspace/choose-handover-place.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";

export const command = defineCommand({
  details:
    "Notes wait in buffer.md until `carryon note flush` moves them into the knowledge of the project. Two patterns of one " +
    "category make a skill candidate, which `carryon note candidates` lists.",
  examples: [
    {
      line: 'carryon note pattern "api: retry twice" --spec login --role Builder --task 2',
      does: "Note a pattern; a first word with a colon is its category",
    },
    {
      line: "carryon note --from report.md",
      does: "Take the tagged lines of a completion report, each with its source",
    },
    { line: "carryon note flush", does: "Move all notes into the knowledge of the project" },
    { line: "carryon note candidates --dismiss api", does: "Say that something is not worth a skill" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", `One of ${noteWords.join(", ")}`).argParser(parseNoteWord))
      .argument("[text]", "What was learned")
      .option("--spec <name>", "The spec in which it was learned")
      .option("--role <role>", "Who learned it")
      .option("--task <n>", "In which task")
      .option("--category <word>", "The category, if the text does not begin with it")
      .option("--from <file>", "Take notes from a report, `-` for standard input")
      .option("--dismiss <name>", "With candidates: take this one out, for good")
      .addOption(jsonOption()),
  run: async (context, [what, text], { from, dismiss, json, ...given }) => {
    if (dismiss !== undefined && what !== "candidates")
      throw badNote("Only candidates can be dismissed.", "See `carryon note --help`.");
    if (from !== undefined) return noteReport(context, from, { ...given, json, isAlone: what === undefined });
    if (what === undefined) throw badNote("There is nothing to note.", "See `carryon note --help`.");
    if (what !== "flush" && what !== "candidates")
      return sayNoted(context, [toGivenNote(what, text, given)], { json });
    if (text !== undefined || Object.keys(given).length > 0)
      throw badNote(`${what} takes no note.`, "See `carryon note --help`.");
    if (what === "flush") return sayFlushed(context, { json });
    return dismiss === undefined
      ? sayCandidates(context, { json })
      : sayDismissed(context, dismiss, { json });
  },
});

interface ReportOptions extends GivenOrigin {
  readonly category?: string;
  readonly json?: true | undefined;
  /** Whether nothing but the report is to be noted. */
  readonly isAlone: boolean;
}

async function noteReport(
  context: CommandContext,
  file: string,
  { isAlone, category, json, ...origin }: ReportOptions,
): Promise<void> {
  if (!isAlone || category !== undefined)
    throw badNote("The notes of a report are in the report.", "Leave out what stands beside `--from`.");
  const source = toSource(origin);
  await sayNoted(context, toReportedNotes(await readReport(context, file), source), { json });
}

/** Reads a report from a file, or from standard input for `-`. */
async function readReport(context: CommandContext, file: string): Promise<string> {
  const name = file === "-" ? "Standard input" : resolve(context.cwd, file);
  const refused = (reason: string, cause?: unknown) =>
    usageError("input-unreadable", `${name} cannot be read: ${reason}.`, { cause });
  const bytes = await (file === "-" ? buffer(context.input) : readFile(name)).catch((error: unknown) => {
    const isMissing = isSystemError(error, "ENOENT", "ENOTDIR");
    throw refused(
      isMissing ? "it does not exist" : error instanceof Error ? error.message : String(error),
      error,
    );
  });
  const decoded = decodeDocument(bytes);
  if (decoded.type === "text") return decoded.text;
  throw refused(decoded.reason);
}

/** How an answer is to be given. */
interface Answering {
  readonly json?: true | undefined;
}

/** Adds notes and says which of them are new. */
async function sayNoted(context: CommandContext, notes: readonly Note[], { json }: Answering): Promise<void> {
  await change(context, async (handover) => {
    const { added, candidates } = await handover.note(notes);
    if (json) return context.out(`${renderJson({ added, candidates })}\n`);
    context.out(lines(added.map(renderNote)));
    const path = toPrintableLine(handover.paths.buffer);
    context.err(added.length === 0 ? "Nothing new to note.\n" : `Written to ${path}\n`);
    for (const { name } of candidates) context.err(`New skill candidate: ${toPrintableLine(name)}\n`);
  });
}

/** Flushes the notes and says where they are. */
async function sayFlushed(context: CommandContext, { json }: Answering): Promise<void> {
  await change(context, async (handover) => {
    const { notes, files } = await handover.flush();
    if (json) return context.out(`${renderJson({ notes, files })}\n`);
    context.out(lines(files));
    const counted = `${plural(notes.length, "note")} moved into ${plural(files.length, "file")} of knowledge.\n`;
    context.err(notes.length === 0 ? "There are no notes to flush.\n" : counted);
  });
}

/** Lists the skill candidates. */
async function sayCandidates(context: CommandContext, { json }: Answering): Promise<void> {
  const candidates = await candidatesOf(context);
  if (json) return context.out(`${renderJson({ candidates })}\n`);
  context.out(lines(candidates.map(describe)));
  if (candidates.length === 0) context.err("There are no skill candidates.\n");
}

/** Dismisses a candidate; a name that is none is refused before anything is written. */
async function sayDismissed(context: CommandContext, name: string, { json }: Answering): Promise<void> {
  const names = (await candidatesOf(context)).map((each) => each.name);
  const isKnown = names.some((each) => each.toLowerCase() === name.toLowerCase());
  if (!isKnown || !(await change(context, (handover) => handover.dismiss(name)))) {
    const near = suggest(name, names);
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See `carryon note candidates`.";
    throw badNote(`There is no skill candidate ${JSON.stringify(name.slice(0, 80))}.`, hint);
  }
  if (json) return context.out(`${renderJson({ dismissed: name })}\n`);
  context.err(`${toPrintableLine(name)} is no candidate any more.\n`);
}

function change<Result>(
  context: CommandContext,
  work: (handover: ProjectHandover) => Promise<Result>,
): Promise<Result> {
  return writeHere(context, async (here) => work(await openProjectHandover(here)));
}

async function candidatesOf(context: CommandContext): Promise<readonly Candidate[]> {
  return findCandidates(await locateHandoverHere(context));
}

function describe({ name, specs, occurrences }: Candidate): string {
  const where = specs.length === 0 ? "" : ` in ${specs.join(", ")}`;
  return `${name}: ${plural(occurrences, "occurrence")}${where}`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${toPrintableLine(text)}\n`).join("");
}
