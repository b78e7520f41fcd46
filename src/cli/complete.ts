import type { Argument, CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { toPrintableLine } from "../lib/printable.ts";
import { readHere } from "../workspace/open-here.ts";
import type { CommandContext } from "./command-context.ts";
import { commandTable } from "./command-table.ts";

/** A word that could stand where the cursor is. */
interface Candidate {
  readonly value: string;
  readonly description: string;
}

const sessionLimit = 50;

/** The arguments and options that want a session. */
const sessionNames: ReadonlySet<string> = new Set(["id", "session", "other", "into"]);

/**
 * Prints what could stand in place of the last word: value, tab, description on each line.
 *
 * It serves the shells, so it never fails: no candidates is the worst that it answers.
 */
export async function complete(context: CommandContext, words: readonly string[]): Promise<void> {
  const current = words.at(-1) ?? "";
  const candidates = await findCandidates(context, words.slice(0, -1), current).catch(() => []);
  const fitting = candidates.filter(({ value }) => value.startsWith(current));
  context.out(
    fitting.map(({ value, description }) => `${value}\t${toPrintableLine(description)}\n`).join(""),
  );
}

async function findCandidates(
  context: CommandContext,
  before: readonly string[],
  current: string,
): Promise<readonly Candidate[]> {
  const [name, ...given] = before;
  if (name === undefined) return current.startsWith("-") ? topOptions : [...listCommands(), helpCommand];
  if (name === "help") return given.length === 0 ? listCommands() : [];
  const entry = commandTable.get(name);
  if (entry === undefined) return [];
  const parser = (await entry.load()).command.build(name);
  const awaiting = findOption(parser, given.at(-1) ?? "");
  if (awaiting !== undefined && takesValue(awaiting)) return completeValue(context, awaiting, current);
  if (current.startsWith("-")) return listOptions(parser);
  const argument = findArgument(parser, given);
  return argument === undefined ? [] : completeValue(context, argument, current);
}

const helpCommand: Candidate = { value: "help", description: "Explain a command by example" };
const topOptions: readonly Candidate[] = [
  { value: "--help", description: "Show all commands" },
  { value: "--version", description: "Print the version" },
];

function listCommands(): readonly Candidate[] {
  return [...commandTable].map(([value, { summary }]) => ({ value, description: summary }));
}

function listOptions(parser: CommandUnknownOpts): readonly Candidate[] {
  const help = { value: "--help", description: "Show this help" };
  return [...parser.options.map(({ long, description }) => ({ value: long ?? "", description })), help];
}

function findOption(parser: CommandUnknownOpts, word: string): Option | undefined {
  return parser.options.find(({ long, short }) => word !== "" && (word === long || word === short));
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Counts the words that are no options and no values of options to find the argument that comes next. */
function findArgument(parser: CommandUnknownOpts, given: readonly string[]): Argument | undefined {
  const isValue = (index: number) => {
    const option = findOption(parser, given[index - 1] ?? "");
    return option !== undefined && takesValue(option);
  };
  const place = given.filter((word, index) => !word.startsWith("-") && !isValue(index)).length;
  const last = parser.registeredArguments.at(-1);
  return parser.registeredArguments[place] ?? (last?.variadic ? last : undefined);
}

/** Answers the choices of an argument or option, or sessions where an id is wanted; files are left to the shell. */
async function completeValue(
  context: CommandContext,
  wanted: Argument | Option,
  current: string,
): Promise<readonly Candidate[]> {
  if (wanted.argChoices !== undefined) return wanted.argChoices.map((value) => ({ value, description: "" }));
  return sessionNames.has(wanted.name()) ? listSessions(context, current) : [];
}

/** Lists the sessions of this project, or of all when none of it fits. */
function listSessions(context: CommandContext, current: string): Promise<readonly Candidate[]> {
  return readHere(context, async ({ store, project }) => {
    const query = { idPrefix: current, limit: sessionLimit, now: context.clock.now() };
    const here =
      project === undefined ? [] : (await store.log.list({ ...query, project: project.id })).sessions;
    const sessions = here.length > 0 ? here : (await store.log.list(query)).sessions;
    const latest = { value: "latest", description: "The newest session of this project" };
    return [latest, ...sessions.map(({ id, title }) => ({ value: id, description: title }))];
  });
}
