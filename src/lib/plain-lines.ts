import { stripVTControlCharacters } from "node:util";

/** What is looked at of one line, with and without its colours; a longer one is no message for people. */
const [mostOfRawLine, mostOfLine] = [4000, 1000];

/** Returns the lines of an output without colours and line ends, each cut to a length that can be searched fast. */
export function plainLines(output: string): readonly string[] {
  return output
    .split(/\r?\n|\r/)
    .map((line) => withoutColours(line.slice(0, mostOfRawLine)).slice(0, mostOfLine).trimEnd());
}

const withoutColours = (line: string): string =>
  line.includes("\u001B") || line.includes("\u009B") ? stripVTControlCharacters(line) : line;
