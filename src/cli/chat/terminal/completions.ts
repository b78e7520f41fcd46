import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  CombinedAutocompleteProvider,
} from "@earendil-works/pi-tui";
import { toPrintable, toPrintableLine } from "../../../lib/printable.ts";
import type { ChatCommand, Value } from "../commands/chat-command.ts";

export interface CompletionSources {
  readonly cwd: string;
  readonly commands: readonly ChatCommand[];
  /** Returns what a command could be given. */
  readonly valuesOf: (command: string) => Promise<readonly Value[]>;
}

/** Completes commands and what they are given while they are typed, and the names of files on Tab. */
export function makeCompletions({ cwd, commands, valuesOf }: CompletionSources): AutocompleteProvider {
  const files = new CombinedAutocompleteProvider([], cwd);
  const names = commands.map(({ name, takes, summary }) => ({
    value: takes === "" ? `/${name}` : `/${name} `,
    description: summary,
  }));
  return {
    getSuggestions: async (lines, line, column, options) => {
      const typed = (lines[line] ?? "").slice(0, column);
      const place = line === 0 ? parsePlace(typed) : undefined;
      if (place === undefined) {
        return options.force === true
          ? onlyPrintable(await files.getSuggestions(lines, line, column, options))
          : null;
      }
      const values = place.command === undefined ? names : await valuesOf(place.command);
      return toSuggestions(values, place.word);
    },
    applyCompletion: (lines, line, column, item, prefix) => {
      const current = lines[line] ?? "";
      const word = line === 0 ? parsePlace(current.slice(0, column))?.word : undefined;
      if (word === undefined) return files.applyCompletion(lines, line, column, item, prefix);
      // More may have been typed since the list was made.
      if (!item.value.startsWith(word)) return { lines, cursorLine: line, cursorCol: column };
      const start = column - word.length;
      const changed = current.slice(0, start) + item.value + current.slice(column);
      return {
        lines: lines.map((each, index) => (index === line ? changed : each)),
        cursorLine: line,
        cursorCol: start + item.value.length,
      };
    },
  };
}

interface Place {
  /** The command whose value is typed; undefined while its name is. */
  readonly command?: string;
  readonly word: string;
}

/** Finds out what is being typed: the name of a command, or the first thing behind it. */
function parsePlace(typed: string): Place | undefined {
  if (/^\/[a-z]*$/.test(typed)) return { word: typed };
  const [, command, word] = /^\/([a-z]+) +(\S*)$/.exec(typed) ?? [];
  return command === undefined || word === undefined ? undefined : { command, word };
}

/** What is typed to its end needs no list: Return would choose from it instead of sending. */
function toSuggestions(values: readonly Value[], word: string): AutocompleteSuggestions | null {
  if (values.some(({ value }) => value.trimEnd() === word)) return null;
  const items = values
    .filter(({ value }) => value.startsWith(word))
    .map(({ value, description }) => ({
      ...{ value, label: value.trimEnd() },
      description: toPrintableLine(description),
    }));
  // Without its slash: with one, Return would send a command that still needs something behind its name.
  return items.length === 0 ? null : { items, prefix: word.replace(/^\//, "") };
}

/** The name of a file can have characters that act on a terminal. */
function onlyPrintable(found: AutocompleteSuggestions | null): AutocompleteSuggestions | null {
  const isPrintable = ({ value, label }: AutocompleteItem) => toPrintable(value + label) === value + label;
  const items = found?.items.filter(isPrintable) ?? [];
  return found === null || items.length === 0 ? null : { ...found, items };
}
