import { type Argument, equals, isExact, mayBeOption } from "./argument.ts";
import { type Classification, quote, reads, unknown, writes } from "./classification.ts";
import { parseOptions } from "./options.ts";
import { isHelp } from "./program.ts";

/** What reads, or keeps what somebody says in the store: the way to satisfy a gate, and to end a session well. */
const open: ReadonlySet<string> = new Set([
  ...["status", "brief", "sessions", "show", "decisions", "verify", "help", "completion"],
  ...["append", "sync", "decide", "note", "handover", "blocker", "tag", "rename", "fork"],
]);

/** What of these only reads, or is a way to satisfy gates; an agent is refused the rest of it when it runs. */
const parts: ReadonlyMap<string, readonly string[]> = new Map([
  ["gate", ["status", "satisfy", "approve", "clear", "list", "sessions", "explain"]],
  ["check", ["list"]],
  ["recovery", ["list"]],
]);

/** Options with which something that is open runs programs, or moves files. */
const closing: ReadonlyMap<string, readonly string[]> = new Map([
  ["save", ["--full"]],
  ["load", ["--resume"]],
  ["doctor", ["--move-aside"]],
]);

/** Options with which something that is not open only shows what it would do. */
const showing: ReadonlyMap<string, readonly string[]> = new Map([
  ["init", ["--dry-run"]],
  ["uninit", ["--dry-run"]],
  ["trust", ["--list"]],
  ["resume", ["--print", "--brief"]],
]);

const help = ["--help", "-h", "--version", "-V"];

/** Says what `carryon` does with its words: what is not needed to satisfy a gate counts as a write. */
export function judgeCarryon(args: readonly Argument[]): Classification {
  const [subcommand, ...rest] = args;
  if (subcommand === undefined || help.some((option) => equals(subcommand, option))) return only("carryon");
  if (!isExact(subcommand)) return unknown("What `carryon` is told is decided only when it runs.");
  const name = subcommand.text;
  if (open.has(name) || isHelp(rest)) return only(`carryon ${name}`);
  const known = parts.get(name);
  if (known !== undefined) return judgePart(name, known, rest);
  const closed = closing.get(name);
  if (closed !== undefined) return judgeClosing(name, closed, rest);
  if ((showing.get(name) ?? []).some((option) => rest.some((word) => equals(word, option))))
    return only(`carryon ${name}`);
  return changes(`carryon ${name}`);
}

/** A value of an option that stands before the word must not be taken for the word. */
const shape = { values: "--session --branch --ttl --metadata --preset", endsAtOperand: true };

function judgePart(name: string, known: readonly string[], rest: readonly Argument[]): Classification {
  const { operands, isLoose } = parseOptions(rest, shape);
  const [what] = operands;
  if (isLoose || (what !== undefined && !isExact(what))) return late(name);
  if (what === undefined) return only(`carryon ${name}`);
  const said = `carryon ${name} ${what.text}`;
  return known.includes(what.text) ? only(said) : changes(said);
}

function judgeClosing(name: string, options: readonly string[], rest: readonly Argument[]): Classification {
  const closed = options.find((option) =>
    rest.some(({ text }) => text === option || text.startsWith(`${option}=`)),
  );
  if (closed !== undefined) return changes(`carryon ${name} ${closed}`);
  return rest.some(mayBeOption) ? late(name) : only(`carryon ${name}`);
}

const only = (said: string): Classification => reads(`${quote(said)} is always open.`);
const changes = (said: string): Classification => writes(`${quote(said)} is not needed to satisfy a gate.`);
const late = (name: string): Classification =>
  unknown(`What ${quote(`carryon ${name}`)} is told is decided only when it runs.`);
