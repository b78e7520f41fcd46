import { AppError } from "../../lib/app-error.ts";
import { isJsonObject, type JsonObject, omitKeys } from "../json-object.ts";
import { type GateReading, openDocument, readGateState, stateFiles } from "../read-gate-state.ts";
import { changeFile, type FileEdit } from "./change-file.ts";
import { type FoundFile, findFile } from "./file-content.ts";
import { type GateChange, type GatePlace, renderStanding, renderTime, standingFields } from "./gate-state.ts";
import {
  type GateDocument,
  type GateRecord,
  renderGateDocument,
  toGateState,
} from "./parse-gate-document.ts";
import { type FileProblem, toProblem } from "./problem.ts";

/** What became of a state that was to be changed. */
export interface ChangedGates extends GateReading {
  /** Why nothing was changed; absent when what was asked for is on the disk. */
  readonly failure?: AppError;
}

interface Outcome {
  readonly document: GateDocument;
  readonly problems: readonly FileProblem[];
}

/**
 * Changes the state of the gates of a branch while nobody else of us does: `change` is given what is there then.
 *
 * Never throws because of what lies there: the failure comes back, as does an AppError of `change`, and is among the
 * problems too. A file that cannot be read is moved aside, one with wrong parts is kept aside, and one that a newer
 * version or another branch owns is left alone.
 */
export async function changeGateState(
  place: GatePlace,
  branch: string,
  change: (state: GateReading["state"]) => readonly GateChange[],
): Promise<ChangedGates> {
  try {
    const { result } = await changeFile(
      { ...place, own: [place.folder], lock: "state" },
      () => findFile(stateFiles(place), branch),
      (file) => edit(place, branch, file, change),
    );
    const state = toGateState(branch, place.project, result.document);
    return { state, isReadable: true, problems: result.problems };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { problems, ...reading } = readGateState(place, branch);
    return { ...reading, problems: [...problems, toProblem(place.folder, error)], failure: error };
  }
}

function edit(
  place: GatePlace,
  branch: string,
  found: FoundFile,
  change: (state: GateReading["state"]) => readonly GateChange[],
): FileEdit<Outcome> {
  const { document, problems, lost } = openDocument(found);
  const changed = applyGateChanges(document, change(toGateState(branch, place.project, document)));
  if (changed === document) return { result: { document, problems }, isLossy: false };
  const now = renderTime(place.clock.now());
  const { version, branch: _branch, project, created_at, updated_at, ...rest } = document.value;
  const value = {
    version: typeof version === "string" ? version : "1.0",
    branch,
    project: typeof project === "string" ? project : place.project,
    created_at: created_at ?? now,
    updated_at: now,
    ...rest,
  };
  const after = { value, gates: changed.gates };
  const text = `${JSON.stringify(renderGateDocument(after), undefined, 2)}\n`;
  return { text, isLossy: lost.length > 0, result: { document: after, problems } };
}

/** What becomes of a gate while changes are made to it. */
interface Draft {
  root: JsonObject;
  readonly sessions: Map<string, unknown>;
  isChanged: boolean;
}

/** Makes changes to a document, one after the other. Returns the same document when they leave it as it is. */
function applyGateChanges(document: GateDocument, changes: readonly GateChange[]): GateDocument {
  const drafts = new Map<string, Draft>();
  for (const change of changes) {
    const draft = drafts.get(change.gate) ?? startDraft(document.gates.get(change.gate));
    drafts.set(change.gate, draft);
    if (change.type === "set") set(draft, change);
    else forget(draft, change.session);
  }
  const changed = [...drafts].filter(([, draft]) => draft.isChanged);
  if (changed.length === 0) return document;
  const gates = new Map(document.gates);
  for (const [name, { root, sessions }] of changed) {
    gates.set(name, { root, sessions: Object.fromEntries(sessions) });
  }
  return { ...document, gates };
}

function startDraft(record: GateRecord | undefined): Draft {
  return {
    root: record?.root ?? {},
    sessions: new Map(Object.entries(record?.sessions ?? {})),
    isChanged: false,
  };
}

function set(draft: Draft, { session, standing, scope }: GateChange & { readonly type: "set" }): void {
  if (draft.root.scope !== scope) {
    draft.root = { ...draft.root, scope };
    draft.isChanged = true;
  }
  const found = session === "all" ? draft.root : draft.sessions.get(session);
  const before = isJsonObject(found) ? found : {};
  const after = renderStanding(standing, before);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  if (session === "all") draft.root = after;
  else draft.sessions.set(session, after);
  draft.isChanged = true;
}

function forget(draft: Draft, session: (GateChange & { readonly type: "forget" })["session"]): void {
  if (session === "every-session") {
    draft.isChanged ||= draft.sessions.size > 0;
    draft.sessions.clear();
  } else if (session === "all") {
    const isKnown = Object.keys(draft.root).some((key) => standingFields.has(key));
    draft.root = omitKeys(draft.root, (key) => standingFields.has(key));
    draft.isChanged ||= isKnown;
  } else if (draft.sessions.delete(session)) draft.isChanged = true;
}
