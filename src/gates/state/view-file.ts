import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseIfJson } from "../../lib/json.ts";
import { isWrittenAfter } from "../pass.ts";
import { parseStamp, readStamp } from "./file-content.ts";

/** A file that a view was derived from: its name and its stamp, which is null for one that was not there. */
export type Source = readonly [name: string, stamp: string | null];

/** What the first line of a view says. */
interface ViewHeader {
  readonly version: 1;
  /** The folder of the state files, and the branch. */
  readonly folder: string;
  readonly branch: string;
  readonly sources: readonly Source[];
  readonly project: string;
  readonly problems: readonly string[];
  /** The roots of the gates as the file has them. */
  readonly gates: readonly (readonly [name: string, root: unknown])[];
  /** Sessions that it holds because somebody asked for them, although they are old. */
  readonly wanted?: readonly string[];
}

/** A view: its header, and the lines below. */
export interface View {
  readonly header: ViewHeader;
  readonly body: string;
}

/** The last line, without which a view is only the beginning of one. */
const end = "\nend";

/** Reads a view that is true to what its sources hold now; undefined when there is none. Costs no look into them. */
export function readView(path: string, folder: string, branch: string): View | undefined {
  const file = readIfThere(path);
  if (file === undefined) return undefined;
  const view = parseView(file.text);
  if (view?.header.folder !== folder || view.header.branch !== branch) return undefined;
  const isTrue = (source: Source) => isKept(folder, source) && isOlder(source, file);
  return view.header.sources.every(isTrue) ? view : undefined;
}

/**
 * Writes a view, as far as that is possible: without it, reading takes longer and finds the same.
 *
 * The sources are compared once more after its time is given: it is worth nothing if they changed before.
 */
export function writeView(path: string, { header, body }: View): void {
  const temp = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temp, `${JSON.stringify(header)}\n${body}${end}`, { mode: 0o600, flag: "wx" });
      if (header.sources.every((source) => isKept(header.folder, source))) renameSync(temp, path);
      else unlinkSync(temp);
    } catch (error) {
      unlinkSync(temp);
      throw error;
    }
    removeOldTemps(dirname(path));
  } catch {
    // A cache that cannot be written is not worth a word.
  }
}

function parseView(text: string): View | undefined {
  // It is not synced: after a power cut, parts of it may be zeros.
  if (!text.endsWith(end) || text.includes("\0")) return undefined;
  const line = text.indexOf("\n");
  const header = parseIfJson(text.slice(0, line)) as ViewHeader | null | undefined;
  return header?.version === 1 ? { header, body: text.slice(line + 1, -end.length) } : undefined;
}

function isKept(folder: string, [name, stamp]: Source): boolean {
  return (readStamp(join(folder, name)) ?? null) === stamp;
}

function isOlder([, stamp]: Source, view: ViewFile): boolean {
  return stamp === null || isWrittenAfter(view, parseStamp(stamp));
}

interface ViewFile {
  readonly text: string;
  readonly dev: bigint;
  readonly mtimeNs: bigint;
}

function readIfThere(path: string): ViewFile | undefined {
  try {
    const descriptor = openSync(path, "r");
    try {
      const { dev, mtimeNs } = fstatSync(descriptor, { bigint: true });
      return { text: readFileSync(descriptor, "utf8"), dev, mtimeNs };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // There is none, most of the time.
    return undefined;
  }
}

/** Removes what killed writers of views have left. */
function removeOldTemps(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith(".tmp") && Date.now() - lstatSync(path).mtimeMs > 60_000) unlinkSync(path);
  }
}
