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

/** What the first line of a view says. */
interface ViewHeader {
  readonly version: 2;
  /** The folder of the state files, and the branch. */
  readonly folder: string;
  readonly branch: string;
  /** The stamp of the file that it was derived from. */
  readonly source: string;
  readonly project: string;
  readonly problems: readonly string[];
  /** The roots of the gates as the file has them. */
  readonly gates: readonly (readonly [name: string, root: unknown])[];
}

/** A view: its header, and the lines below. */
interface View {
  readonly header: ViewHeader;
  readonly body: string;
}

/** The last line, without which a view is only the beginning of one. */
const end = "\nend";

/** Reads a view that is true to what its file holds now; undefined when there is none. Costs no look into it. */
export function readView(path: string, folder: string, branch: string): View | undefined {
  const file = readIfThere(path);
  if (file === undefined) return undefined;
  const view = parseView(file.text);
  if (view?.header.folder !== folder || view.header.branch !== branch) return undefined;
  return isKept(view.header) && isWrittenAfter(file, parseStamp(view.header.source)) ? view : undefined;
}

/**
 * Writes a view, as far as that is possible: without it, reading takes longer and finds the same.
 *
 * The file is compared once more after its time is given: it is worth nothing if it changed before.
 */
function writeView(path: string, { header, body }: View): void {
  const temp = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temp, `${JSON.stringify(header)}\n${body}${end}`, { mode: 0o600, flag: "wx" });
      if (isKept(header)) renameSync(temp, path);
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
  return header?.version === 2 ? { header, body: text.slice(line + 1, -end.length) } : undefined;
}

function isKept({ folder, branch, source }: ViewHeader): boolean {
  return readStamp(join(folder, usualName(branch))) === source;
}

/** The name of the file of a branch, where no other has taken it. */
export function usualName(branch: string): string {
  const [name = ""] = candidateNames(branch);
  return name;
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
  return join(cache, usualName(branch).replace(/\.json$/, ".view"));
}

/** Tells whether a file of so many bytes is slower to parse than a view of it is to read. */
export function isWorthView(place: GatePlace, size: number): boolean {
  return place.cache !== undefined && size >= (place.viewFrom ?? viewFrom);
}

/** Keeps a view of what was read from a large file of the usual name, so that the next reader need not parse it. */
export function keepView(
  place: GatePlace,
  branch: string,
  found: FoundFile,
  state: { readonly document: GateDocument; readonly project: string; readonly problems: readonly string[] },
): void {
  const path = locateView(place, branch);
  if (path === undefined || found.content.type !== "document") return;
  if (!isWorthView(place, found.content.file.bytes.length)) return;
  const source = found.content.file.stamp;
  if (source === undefined || found.looked.length > 1) return;
  const gates = [...state.document.gates].map(([name, { root }]) => [name, root] as const);
  const { project, problems } = state;
  const header = { version: 2, folder: place.folder, branch, source, project, problems, gates } as const;
  writeView(path, { header, body: renderBody(state.document) });
}

/** Returns the lines of a view: the keys of the sessions that it does not hold, then a line for each that it does. */
function renderBody({ gates }: GateDocument): string {
  const times = new Map<string, number>();
  for (const { sessions } of gates.values()) {
    for (const [key, standing] of Object.entries(sessions)) {
      times.set(key, Math.max(times.get(key) ?? 0, timeOf(standing)));
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

/** Returns the state that a view shows. What it does not hold is asked of the whole file, which `readWhole` reads. */
export function viewState({ header, body }: View, readWhole: () => GateState): GateState {
  let whole: GateState | undefined;
  const askWhole = () => (whole ??= readWhole());
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
      if (standings === "unknown") return askWhole().standing(gate, session);
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
