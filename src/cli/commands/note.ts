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
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { decodeDocument } from "../../lib/markdown/decode-document.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { sayCandidates, sayDismissed, sayFlushed, sayNoted } from "../handover/change-notes.ts";
import { jsonOption } from "../parse-options.ts";

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
    new AppError(`${name} cannot be read: ${reason}.`, { kind: "usage", code: "input-unreadable", cause });
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
