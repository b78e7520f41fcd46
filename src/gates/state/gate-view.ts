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
import { isJsonObject, type JsonObject, ownValue } from "../json-object.ts";
import { isWrittenAfter } from "../pass.ts";
import { candidateNames, type FoundFile, parseStamp, readStamp } from "./file-content.ts";
import { type GatePlace, type GateState, parseTime, type SessionKey, untouched } from "./gate-state.ts";
import { type GateDocument, readStanding } from "./parse-gate-document.ts";

/** A file that a view was derived from: its name and its stamp, which is null for one that was not there. */
type Source = readonly [name: string, stamp: string | null];

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
interface View {
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
function writeView(path: string, { header, body }: View): void {
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

/** How many sessions a view holds, the newest first. */
const mostSessions = 50;
const viewFrom = 64 << 10;

/** Returns where the view of a branch is; undefined where there is no folder for views. */
export function locateView({ cache }: GatePlace, branch: string): string | undefined {
  if (cache === undefined) return undefined;
  const [name = "view.json"] = candidateNames(branch);
  return join(cache, name.replace(/\.json$/, ".view"));
}

/** Tells whether a file of so many bytes is slower to parse than a view of it is to read. */
export function isWorthView(place: GatePlace, size: number): boolean {
  return place.cache !== undefined && size >= (place.viewFrom ?? viewFrom);
}

/** How many sessions it holds that are old and were asked for: those that somebody has resumed. */
const mostWanted = 10;

/** Returns the old sessions that the next view is to hold: those of this one, and one that it does not hold. */
export function wantedIn(
  { header: { wanted = [] } }: View,
  session: SessionKey | undefined,
): readonly string[] {
  return session === undefined ? wanted : [session, ...wanted].slice(0, mostWanted);
}

/** Keeps a view of what was read from a large file, so that the next reader need not parse it. */
export function keepView(
  place: GatePlace,
  branch: string,
  found: FoundFile,
  state: { readonly document: GateDocument; readonly project: string; readonly problems: readonly string[] },
  wanted: readonly string[] = [],
): void {
  const path = locateView(place, branch);
  if (path === undefined || found.content.type !== "document") return;
  if (!isWorthView(place, found.content.file.bytes.length)) return;
  const sources = toSources(found);
  if (sources === undefined) return;
  const gates = [...state.document.gates].map(([name, { root }]) => [name, root] as const);
  const { project, problems } = state;
  const header = {
    version: 1,
    folder: place.folder,
    branch,
    sources,
    project,
    problems,
    gates,
    wanted,
  } as const;
  writeView(path, { header, body: renderBody(state.document, new Set(wanted)) });
}

/** Returns what was looked at until the file was found; undefined when some of it is not known well enough. */
function toSources({ looked }: FoundFile): readonly Source[] | undefined {
  const sources: Source[] = [];
  for (const { name, content } of looked) {
    if (content.type === "broken") return undefined;
    if (content.type === "none") sources.push([name, null]);
    else if (content.file.stamp === undefined) return undefined;
    else sources.push([name, content.file.stamp]);
  }
  return sources;
}

/** Returns the lines of a view: the keys of the sessions that it does not hold, then a line for each that it does. */
function renderBody({ gates }: GateDocument, wanted: ReadonlySet<string>): string {
  const times = new Map<string, number>();
  for (const { sessions } of gates.values()) {
    for (const [key, standing] of Object.entries(sessions)) {
      const time = wanted.has(key) ? Number.MAX_VALUE : timeOf(standing);
      times.set(key, Math.max(times.get(key) ?? 0, time));
    }
  }
  const keys = [...times].sort(([, one], [, other]) => other - one).map(([key]) => key);
  const lines = keys.slice(0, mostSessions).map((key) => {
    const standings = [...gates].flatMap(([gate, { sessions }]) =>
      Object.hasOwn(sessions, key) ? [[gate, sessions[key]] as const] : [],
    );
    return `${JSON.stringify(key)}\t${JSON.stringify(Object.fromEntries(standings))}`;
  });
  return [JSON.stringify(keys.slice(mostSessions)), ...lines, ""].join("\n");
}

function timeOf(standing: unknown): number {
  if (!isJsonObject(standing)) return 0;
  const times = [standing.triggered_at, standing.satisfied_at].map((time) => parseTime(time)?.getTime() ?? 0);
  return Math.max(...times);
}

/**
 * Returns the state that a view shows. What it does not hold is asked of the whole file, which `readWhole` reads; it is
 * given the session that is missing.
 */
export function viewState(
  { header, body }: View,
  readWhole: (missing: SessionKey | undefined) => GateState,
): GateState {
  let whole: GateState | undefined;
  const askWhole = (missing?: SessionKey) => (whole ??= readWhole(missing));
  const roots = new Map(header.gates);
  const older = body.slice(0, body.indexOf("\n"));
  const known = new Map<SessionKey, JsonObject | "unknown">();
  return {
    branch: header.branch,
    project: header.project,
    standing: (gate, session) => {
      if (whole !== undefined) return whole.standing(gate, session);
      if (session === "all") return readStanding(roots.get(gate));
      const standings = known.get(session) ?? findSession(body, older, session);
      known.set(session, standings);
      if (standings === "unknown") return askWhole(session).standing(gate, session);
      return Object.hasOwn(standings, gate) ? readStanding(ownValue(standings, gate)) : untouched;
    },
    sessions: (gate) => askWhole().sessions(gate),
    gates: () => whole?.gates() ?? [...roots.keys()],
  };
}

/** Returns what a view holds of a session at each gate; "unknown" for one of which only the file may know. */
function findSession(body: string, older: string, session: SessionKey): JsonObject | "unknown" {
  const key = JSON.stringify(session);
  const start = `\n${key}\t`;
  const line = body.indexOf(start);
  // A text that only looks like a key is found here too, which costs nothing but reading the file.
  if (line < 0) return older.includes(key) ? "unknown" : {};
  const from = line + start.length;
  const value = parseIfJson(body.slice(from, body.indexOf("\n", from)));
  return isJsonObject(value) ? value : "unknown";
}
