import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import {
  badNote,
  type GivenOrigin,
  hasSpecs,
  noteWords,
  parseNoteWord,
  readTypedText,
  toGivenNote,
  toReportedNotes,
  toSource,
} from "../../handover/given-note.ts";
import { type Candidate, type Note, noteTags, renderNote } from "../../handover/note.ts";
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
import { toChoice } from "../confirm.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { Interrupted } from "../interrupted.ts";

export const command = defineCommand({
  details:
    "Notes wait in buffer.md until `carryon note flush` moves them into the knowledge of the project. Two patterns of one " +
    "category make a skill candidate, which `carryon note candidates` lists. A note without a tag is a REFERENCE. In a " +
    "project with specs it says in which spec and task something was learned: a terminal asks for that.",
  examples: [
    { line: 'carryon note "the staging keys expire on Fridays"', does: "Note something to find again" },
    {
      line: 'carryon note pattern "api: retry twice" --spec login --role Builder --task 2',
      does: "Note a pattern; a first word with a colon is its category",
    },
    {
      line: "carryon note --from report.md",
      does: "Take the tagged lines of a completion report, each with its source",
    },
    { line: "carryon note flush", does: "Move all notes into the knowledge of the project" },
  ],
  define: (command) =>
    command
      .argument("[what]", `What was learned, or one of ${noteWords.join(", ")}`)
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
    const word = parseNoteWord(what, text);
    if (word === undefined) return noteOne(context, { ...given, text: what }, { json });
    if (word !== "flush" && word !== "candidates")
      return noteOne(context, { ...given, tag: word, text }, { json });
    if (text !== undefined || Object.keys(given).length > 0)
      throw badNote(`${word} takes no note.`, "See `carryon note --help`.");
    if (word === "flush") return sayFlushed(context, { json });
    return dismiss === undefined
      ? sayCandidates(context, { json })
      : sayDismissed(context, dismiss, { json });
  },
});

interface NoteOptions extends GivenOrigin {
  readonly tag?: Note["tag"] | undefined;
  readonly text: string | undefined;
  readonly category?: string;
}

/** Takes one note; a person at a terminal is asked for its tag and its origin where the project has specs. */
async function noteOne(context: CommandContext, given: NoteOptions, { json }: Answering): Promise<void> {
  const needsOrigin = await hasSpecs(await locateHandoverHere(context));
  const { input, error } = context.isTerminal;
  const typed = readTypedText(given.text ?? "", given.tag);
  const isAsked = needsOrigin && typed.text.trim() !== "" && typed.source === "";
  const asks = isAsked && input && error && json === undefined;
  const { tag, text, ...origin } = asks ? await askOrigin(context, { ...given, tag: typed.tag }) : given;
  const note = toGivenNote(tag, text, { ...origin, needsOrigin: needsOrigin && !asks });
  await sayNoted(context, [note], { json });
}

/** Asks for what was not given. A note of no spec is the person's own. */
async function askOrigin(context: CommandContext, given: NoteOptions): Promise<NoteOptions> {
  const kinds = noteTags.map((each) => toChoice(each, [tagHints[each]]));
  const tag = given.tag ?? noteTags[await chosen(context.choose("What kind of note is it?", kinds))];
  const spec = given.spec ?? (await words(context, "In which spec was it learned? (empty: in none)"));
  if (spec.trim() === "") return { ...given, tag };
  const role = given.role ?? (await words(context, "In which role, such as Builder or Inspector?"));
  return {
    ...given,
    tag,
    spec,
    role,
    task: given.task ?? (await words(context, "In which task?")),
  };
}

const tagHints = {
  PATTERN: "worth doing again",
  INCIDENT: "what went wrong, and why",
  REFERENCE: "worth finding again",
} satisfies Record<Note["tag"], string>;

async function words(context: CommandContext, message: string): Promise<string> {
  return chosen(context.askText({ message, lines: "one", initial: "" }));
}

/** A person who leaves a question notes nothing. */
async function chosen<Answer>(answer: Promise<Answer | undefined>): Promise<Answer> {
  const given = await answer;
  if (given === undefined) throw new Interrupted("SIGINT");
  return given;
}

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
  const needsOrigin = await hasSpecs(await locateHandoverHere(context));
  const notes = toReportedNotes(await readReport(context, file), source, { needsOrigin });
  await sayNoted(context, notes, { json });
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
