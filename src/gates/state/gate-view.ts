import { join } from "node:path";
import { parseIfJson } from "../../lib/json.ts";
import { isJsonObject, type JsonObject, ownValue } from "../json-object.ts";
import { candidateNames, type FoundFile } from "./file-content.ts";
import { type GatePlace, type GateState, parseTime, type SessionKey, untouched } from "./gate-state.ts";
import { type GateDocument, readStanding } from "./parse-gate-document.ts";
import { type Source, type View, writeView } from "./view-file.ts";

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
