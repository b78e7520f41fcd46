import { CommanderError } from "@commander-js/extra-typings";
import { AppError, isSystemError } from "../lib/app-error.ts";
import { hookWord } from "../lib/hook-files.ts";
import { suggest } from "../lib/suggest.ts";
import { readVersion } from "../lib/version.ts";
import { hideSecrets, listSecrets } from "../redaction/hide-secrets.ts";
import type { CommandContext } from "./command-context.ts";
import { type CommandEntry, commandTable } from "./command-table.ts";
import { exitCode } from "./exit-code.ts";
import { prepareCommand, renderTopHelp } from "./help.ts";
import { reportError } from "./report-error.ts";

/** Runs one command line and returns the exit code. Every error ends here, as text on standard error. */
export async function runCli(argv: readonly string[], context: CommandContext): Promise<number> {
  try {
    await dispatch(argv, withSafeTalk(context));
    return 0;
  } catch (thrown) {
    const error = isSystemError(thrown, "EMFILE", "ENFILE") ? tooManyFiles(thrown) : thrown;
    const known = listSecrets(argv);
    const text = reportError(error, {
      form: asksForJson(argv) ? "json" : "text",
      debug: Boolean(context.env.CARRYON_DEBUG),
      style: context.errorStyle,
      columns: context.isTerminal.error ? context.columns : undefined,
      hide: (message) => hideSecrets(message, known),
    });
    context.err(text);
    return exitCode(error);
  }
}

/** Even a module that a command loads may be one file too many. */
function tooManyFiles(cause: unknown): AppError {
  return new AppError("Too many files are open on this system.", {
    kind: "io",
    code: "too-many-files",
    hint: "Close other programs, or raise the limit with `ulimit -n`; then run the command again.",
    cause,
  });
}

/** Keeps secrets out of standard error, which others may log. It inherits, because asking for the folder may fail. */
function withSafeTalk(context: CommandContext): CommandContext {
  return Object.create(context, { err: { value: (text: string) => context.err(hideSecrets(text)) } });
}

async function dispatch(argv: readonly string[], context: CommandContext): Promise<void> {
  const [first, ...rest] = argv;
  switch (first) {
    case "--help":
    case "-h":
      return context.out(renderTopHelp(context));
    case "--version":
    case "-V":
      return context.out(`${await readVersion()}\n`);
    case "help":
      return explain(rest, context);
    case "__complete":
      return (await import("./complete.ts")).complete(context, rest);
    case hookWord:
      return (await import("./hook/answer-hook.ts")).answerHook(context, rest);
    case undefined:
      return goOn(context);
    case "--json":
      return runCommand("status", argv, context);
    default:
      if (/^-./.test(first)) throw unknownOption(first);
      return runCommand(first, rest, context);
  }
}

/** Shows the status; on a terminal it also asks which open work to go on with. */
async function goOn(context: CommandContext): Promise<void> {
  const status = await (await import("./commands/status.ts")).sayStatus(context);
  const { chooseWork } = await import("./work/choose-work.ts");
  const [name, ...args] = (await chooseWork(context, status)) ?? [];
  if (name !== undefined) await runCommand(name, args, context);
}

async function explain([name, ...others]: readonly string[], context: CommandContext): Promise<void> {
  if (others.length > 0) {
    throw new AppError("Help is about one command at a time.", {
      kind: "usage",
      code: "excess-arguments",
      hint: "Try `carryon help show`.",
    });
  }
  if (name === undefined) context.out(renderTopHelp(context));
  else await runCommand(name, ["--help"], context);
}

function unknownOption(option: string): AppError {
  const [near] = suggest(option, ["--help", "--version", "--json"]);
  return new AppError(`Unknown option ${JSON.stringify(option.slice(0, 80))}.`, {
    kind: "usage",
    code: "unknown-option",
    hint: near === undefined ? "See `carryon --help`." : `Did you mean ${near}?`,
  });
}

async function runCommand(name: string, args: readonly string[], context: CommandContext): Promise<void> {
  const entry = findCommand(name);
  const { command } = await entry.load();
  const parser = prepareCommand(command.build(`carryon ${name}`, context), entry, command, context);
  try {
    await parser.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for arrives here too.
    const takes = parser.registeredArguments.some(({ variadic }) => variadic) ? "words" : "arguments";
    if (error.exitCode !== 0) throw toUsageError(error, { command: `carryon ${name}`, takes });
  }
}

function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).includes("--json");
}

/** Returns the entry of a command, or throws with the names that may have been meant. */
function findCommand(name: string): CommandEntry {
  const entry = commandTable.get(name);
  if (entry !== undefined) return entry;
  const near = suggest(name, [...commandTable.keys(), "help"]);
  throw new AppError(`There is no command ${JSON.stringify(name.slice(0, 80))}.`, {
    kind: "usage",
    code: "unknown-command",
    hint:
      near.length === 0
        ? "List the commands with `carryon --help`."
        : `Did you mean ${near.map((each) => `\`carryon ${each}\``).join(", or ")}?`,
  });
}

/** Turns what the parser of the command line says into an error like all others. */
function toUsageError(
  error: CommanderError,
  { command, takes }: { readonly command: string; readonly takes: "words" | "arguments" },
): AppError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const message = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, "");
  const suggestion = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  const code = toCode(error.code);
  const isWord = takes === "words" && code === "unknown-option";
  const instead = isWord
    ? ` What begins with - and is no option stands after --: \`${command} -- -word\`.`
    : "";
  return new AppError(`${message}.`, {
    kind: "usage",
    code,
    hint: (suggestion === "" ? `See \`${command} --help\`.` : suggestion) + instead,
  });
}

/** `commander.unknownOption` becomes `unknown-option`. */
function toCode(code: string): string {
  return code.replace(/^commander\./, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
