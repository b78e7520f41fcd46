import { isJsonObject, type JsonObject, omitKeys } from "../json-object.ts";
import type { GateChange } from "./gate-state.ts";
import type { GateDocument, GateRecord } from "./parse-gate-document.ts";
import { renderStanding, standingFields } from "./standing-codec.ts";

/** What becomes of a gate while changes are made to it. */
interface Draft {
  root: JsonObject;
  readonly sessions: Map<string, unknown>;
  isChanged: boolean;
}

/** Makes changes to a document, one after the other. Returns the same document when they leave it as it is. */
export function applyGateChanges(document: GateDocument, changes: readonly GateChange[]): GateDocument {
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
