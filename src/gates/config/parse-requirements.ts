import { LineCounter, parseDocument, type YAMLError, type YAMLWarning } from "yaml";
import { toPrintableLine } from "../../lib/printable.ts";
import {
  CannotRead,
  emptyMap,
  type GateProblem,
  isNothing,
  type Located,
  type LocatedMap,
  shorten,
  toLocated,
} from "./to-located.ts";

/** What one file sets. */
export interface Layer {
  readonly file: string;
  /** What stands in the file; empty where it cannot be read. */
  readonly root: LocatedMap;
  /** Whether it could be read. One file that cannot be read turns all gates off. */
  readonly isReadable: boolean;
  readonly problems: readonly GateProblem[];
}

interface VersionFault {
  readonly isNewer: boolean;
  readonly problem: GateProblem;
}

/** The largest file that is read, in bytes: ten times what anybody has written. */
export const largestRequirements = 262_144;

/** Characters; what the parser says quotes the file. */
const longestReason = 160;

const nestedTooDeeply = "It is nested more deeply than a configuration can be.";

/** Reads the text of a requirements.yaml. Whatever it holds, it takes bounded time and throws nothing. */
export function parseRequirements(text: string, file: string): Layer {
  if (text.length > largestRequirements) return tooLarge(file);
  const nul = text.indexOf("\0");
  if (nul >= 0) return notText(file, text.slice(0, nul).split("\n").length);
  if (text.trim() === "") return empty(file);
  const lines = new LineCounter();
  try {
    // Two keys of the same name are found while the values are read: the parser compares each with all others.
    const options = {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "error",
    } as const;
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error !== undefined) return notYaml(file, lines.linePos(error.pos[0]), error);
    const { root, problems } = toLocated(document, lines, file);
    const [warning] = document.warnings;
    return toLayer(root, [...tellTag(file, lines, warning), ...problems]);
  } catch (error) {
    if (error instanceof CannotRead)
      return unreadable({ file, line: error.line, problem: error.message, hint: error.hint });
    if (error instanceof RangeError)
      return unreadable({
        file,
        line: 1,
        problem: nestedTooDeeply,
        hint: "Write it without so many levels.",
      });
    throw error;
  }
}

/** Says that a file cannot be read, and what follows. */
export function unreadable({ file, line, problem, hint }: GateProblem): Layer {
  const told = { file, line, problem: `${problem} All gates are off.`, hint };
  return { file, root: emptyMap({ file, line: 1 }), isReadable: false, problems: [told] };
}

/** Nothing is wrong with a file without anything in it, but whoever made it may believe that something counts. */
function empty(file: string): Layer {
  const place = { file, line: 1 };
  const told = { ...place, problem: "It is empty.", hint: "Begin with `requirements:`, or remove it." };
  return { file, root: emptyMap(place), isReadable: true, problems: [told] };
}

/** Says that a file is too large to be read. */
export function tooLarge(file: string): Layer {
  const problem = "It is larger than 256 KB and is not read.";
  return unreadable({ file, line: 1, problem, hint: "Keep only the requirements in it." });
}

/** Says that a file holds something else than text. */
export function notText(file: string, line: number, column?: number): Layer {
  const where = column === undefined ? "" : `, from column ${column} on`;
  return unreadable({ file, line, problem: `It is not text in UTF-8${where}.`, hint: "Save it as UTF-8." });
}

interface Position {
  readonly line: number;
  readonly col: number;
}

/** What is wrong, in other words than those for programmers, and what to do about it. */
const remedies: Readonly<Partial<Record<YAMLError["code"], readonly [problem: string, hint: string]>>> = {
  MULTIPLE_DOCS: ["a second document begins", "Remove the line `---`, and put everything into one document."],
  TAB_AS_INDENT: ["a tab indents the line", "Indent with spaces instead of tabs."],
};

function notYaml(file: string, { line, col }: Position, { code, message }: YAMLError): Layer {
  if (code === "RESOURCE_EXHAUSTION")
    return unreadable({ file, line, problem: nestedTooDeeply, hint: "Write it without so many levels." });
  const [first = ""] = message.split("\n");
  const said = toPrintableLine(first.slice(0, longestReason).replace(/[.:]$/, ""));
  const [reason, hint] = remedies[code] ?? [said, "Put this line, or the one before it, right."];
  return unreadable({ file, line, problem: `It is not YAML, in column ${col}: ${reason}.`, hint });
}

function toLayer(root: Located, problems: readonly GateProblem[]): Layer {
  const { file } = root;
  if (isNothing(root)) return { file, root: emptyMap(root), isReadable: true, problems };
  if (root.type !== "map")
    return unreadable({
      file,
      line: root.line,
      problem: "It is no map of settings.",
      hint: "Begin with a line such as `requirements:`.",
    });
  const version = judgeVersion(root.entries.get("version"));
  return {
    file,
    root,
    isReadable: version?.isNewer !== true,
    problems: version === undefined ? problems : [...problems, version.problem],
  };
}

/** Says what is wrong with the version of a file, which is written as a text or as a number. */
function judgeVersion(version: Located | undefined): VersionFault | undefined {
  if (isNothing(version)) return undefined;
  const shown = version.type === "scalar" ? shorten(String(version.value)) : "of this form";
  const number = /^\d{1,6}(?:\.\d{1,6})?$/.test(shown) ? Number(shown) : Number.NaN;
  if (number === 1) return undefined;
  const isNewer = number > 1;
  const problem = isNewer
    ? `Version ${shown} is newer than what this Carryon knows. All gates are off.`
    : `There is no version ${shown}; the file is read as version 1.0.`;
  const hint = isNewer ? "Update Carryon." : 'Write `version: "1.0"`.';
  return { isNewer, problem: { file: version.file, line: version.line, problem, hint } };
}

function tellTag(file: string, lines: LineCounter, warning: YAMLWarning | undefined): readonly GateProblem[] {
  if (warning === undefined) return [];
  const { line } = lines.linePos(warning.pos[0]);
  const problem = "A tag that begins with ! is not known and is left out.";
  return [{ file, line, problem, hint: "Remove the tag." }];
}
