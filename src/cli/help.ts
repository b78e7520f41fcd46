import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { makeStyle } from "../lib/style.ts";
import { padEnd, wrap } from "../lib/terminal-text.ts";
import type { CommandContext } from "./command-context.ts";
import { type CommandEntry, commandTable, groups } from "./command-table.ts";
import type { CliCommand, Example } from "./define-command.ts";

const about =
  "Carryon keeps every session of your coding agents, so that any can be picked up exactly where it stopped.";

const firstExamples: readonly Example[] = [
  { line: "carryon tour", does: "see it work in a scratch folder" },
  { line: "carryon init", does: "record what Claude Code does here" },
  { line: "carryon sessions --since 7d", does: "what happened here this week" },
  { line: "carryon resume", does: "choose a session and go on in it" },
];

/** Renders the help of `carryon` itself: all commands in groups. Needs no command's module. */
export function renderTopHelp({ style, columns = 80 }: Pick<CommandContext, "style" | "columns">): string {
  const width = Math.min(columns, 80);
  const nameWidth = Math.max(...[...commandTable.keys()].map((name) => name.length));
  const lineOf = ([name, { summary }]: [string, CommandEntry]) =>
    `  ${padEnd(name, nameWidth)}  ${wrap(summary, width, " ".repeat(nameWidth + 4)).trimStart()}`;
  const sections = groups.flatMap((group) => [
    style.bold(`${group}:`),
    ...[...commandTable].filter(([, entry]) => entry.group === group).map(lineOf),
    "",
  ]);
  return `${[
    wrap(about, width),
    "",
    `${style.bold("Usage:")} carryon [command] [options]`,
    "",
    ...sections,
    style.bold("Examples:"),
    ...firstExamples.map(({ line, does }) => `  ${padEnd(line, 27)}  ${style.dim(does)}`),
    "",
    wrap("`carryon help COMMAND` explains a command by example; --version names this one.", width),
  ].join("\n")}\n`;
}

/** Makes the parser of a command say and show everything through the context, and end in errors instead of exits. */
export function prepareCommand(
  parser: CommandUnknownOpts,
  { summary }: CommandEntry,
  { details, examples }: CliCommand,
  context?: CommandContext,
): CommandUnknownOpts {
  const style = context?.style ?? makeStyle({ colors: false });
  return parser
    .description(details === undefined ? `${summary}.` : `${summary}.\n\n${details}`)
    .helpOption("-h, --help", "Show this help")
    .configureHelp({ styleTitle: style.bold })
    .addHelpText("after", `\n${style.bold("Examples:")}\n${examples.map(renderExample).join("\n")}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context?.out(text),
      // Errors are reported in one place, by whoever catches them.
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(context?.columns ?? 80, 100),
      getOutHasColors: () => true,
    });

  function renderExample({ line, does }: Example): string {
    return `  ${line}\n      ${style.dim(does)}`;
  }
}
