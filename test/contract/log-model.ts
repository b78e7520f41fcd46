import type fc from "fast-check";
import { expect } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { type EntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { collect, later, newSession } from "../support/entries.ts";
import type { TestLog } from "./test-log.ts";

/** One session of the model: nothing is shared, every fork has a copy of its own. */
export interface ModelSession {
  readonly id: string;
  readonly origin: string | null;
  readonly entries: { readonly entry: NewEntry; readonly parent: EntryId | null; readonly session: string }[];
}

/** What the log must be equal to: plain arrays in memory. */
export interface Model {
  readonly sessions: Map<string, ModelSession>;
  readonly deleted: Set<string>;
  made: number;
}

export type LogCommand = fc.AsyncCommand<Model, TestLog>;

/** Picks one of the living sessions by a number that shrinks well. */
export function pick(model: Model, index: number): ModelSession | undefined {
  const all = [...model.sessions.values()];
  return all[index % Math.max(1, all.length)];
}

/** Says what appending must do to the model, with the parent that the log has to choose. */
export function appendToModel(session: ModelSession, entry: NewEntry): boolean {
  if (session.entries.some((known) => known.entry.id === entry.id)) return false;
  const strand = entry.strand ?? "main";
  const before = session.entries.findLast((known) => (known.entry.strand ?? "main") === strand);
  const parent = entry.parent === undefined ? (before?.entry.id ?? null) : entry.parent;
  session.entries.push({ entry, parent, session: session.id });
  return true;
}

/** Compares one session of the log with the model, entry by entry and in what its row says. */
export async function compare(session: ModelSession, real: TestLog): Promise<void> {
  const id = parseSessionId(session.id);
  const expected = session.entries.map(({ entry, parent, session: from }, index) => ({
    ...entry,
    strand: entry.strand ?? "main",
    parent,
    session: from,
    seq: index + 1,
  }));
  expect(await collect(real.log.read(id))).toEqual(expected);
  const { sessions } = await real.log.list({ id });
  expect(sessions[0]).toMatchObject({
    entries: expected.length,
    messages: expected.filter((entry) => entry.kind === "message").length,
  });
  expect(await real.log.verify(id)).toMatchObject({ entries: expected.length, problem: null });
}

/** Makes a session in both. */
export async function openInBoth(model: Model, real: TestLog): Promise<void> {
  model.made += 1;
  const id = `s${model.made}`;
  await real.log.open(newSession(id, real.project, { startedAt: later(model.made) }));
  model.sessions.set(id, { id, origin: null, entries: [] });
}
