import { join } from "node:path";
import { unlessFailed } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { withLock } from "../lib/file-lock.ts";
import { parseIfJson } from "../lib/json.ts";
import { readText } from "../lib/read-text.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { SessionId } from "../sessions/ids.ts";
import { recordClient } from "../sessions/session.ts";
import type { ExchangeReport } from "./exchange-report.ts";

/** A session that was deleted in one store and is kept in another, where it was begun or continued. */
export interface Deletion {
  /** The id that it has where it is kept. */
  readonly session: SessionId;
  readonly at: Date;
  /** The other store, as messages call it. */
  readonly store: string;
  readonly kept: "here" | "there";
}

/**
 * Writes down which deletions an exchange has met, so that a person hears of each once.
 *
 * An exchange meets them every time. One that says nothing, as hooks start it, must not use up the one time.
 */
export async function noteDeletions(
  home: string,
  way: "push" | "pull",
  store: string,
  { changes }: ExchangeReport,
): Promise<void> {
  const found = changes.flatMap(({ type, client, session, deletedAt: at }): readonly Noted[] => {
    if (at === undefined || client === recordClient) return [];
    // The push itself says it, and no other will.
    if (type === "kept" && way === "push") return [];
    const isHere = (type === "withheld") === (way === "push");
    return [{ session, at: at.toISOString(), store, kept: isHere ? "here" : "there", named: false }];
  });
  const listNew = (noted: readonly Noted[]) =>
    found.filter((each) => !noted.some((one) => isSame(one, each)));
  if (listNew(await readNoted(home)).length > 0) await change(home, (noted) => [...noted, ...listNew(noted)]);
}

/** Returns the deletions that no person has heard of yet; not those of sessions that are not here any more. */
export async function listUnnamed(
  home: string,
  log: Pick<ConversationLog, "list">,
): Promise<readonly Deletion[]> {
  const unnamed = (await readNoted(home)).filter(({ named }) => !named);
  const found: Deletion[] = [];
  for (const { session, at, store, kept } of unnamed)
    if (kept === "there" || (await log.list({ id: session, limit: 1 })).sessions.length > 0)
      found.push({ session, at: new Date(at), store, kept });
  return found;
}

/** Writes down that a person was told of deletions. */
export async function markNamed(home: string, deletions: readonly Deletion[]): Promise<void> {
  if (deletions.length === 0) return;
  const told = deletions.map(({ at, ...each }) => ({ ...each, at: at.toISOString() }));
  await change(home, (noted) =>
    noted.map((each) => (told.some((one) => isSame(one, each)) ? { ...each, named: true } : each)),
  );
}

const version = 1;

interface Noted extends Omit<Deletion, "at"> {
  readonly at: string;
  /** Whether a person was told of it. */
  readonly named: boolean;
}

/** The same deletion may be heard of through several stores. */
function isSame(one: Omit<Noted, "named">, other: Omit<Noted, "named">): boolean {
  return one.session === other.session && one.at === other.at && one.kept === other.kept;
}

async function change(home: string, work: (noted: readonly Noted[]) => readonly Noted[]): Promise<void> {
  await withLock(join(home, "deletions"), async () => {
    const deletions = work(await readNoted(home));
    await writeFileAtomically(locate(home), `${JSON.stringify({ version, deletions }, undefined, 2)}\n`);
  });
}

async function readNoted(home: string): Promise<readonly Noted[]> {
  // The next exchange meets the deletions again.
  const value = parseIfJson((await unlessFailed(readText(locate(home)), undefined)) ?? "");
  if (typeof value !== "object" || value === null) return [];
  const { version: found, deletions } = value as { version?: unknown; deletions?: unknown };
  return found === version && Array.isArray(deletions) ? deletions.filter(isNoted) : [];
}

function isNoted(value: unknown): value is Noted {
  if (typeof value !== "object" || value === null) return false;
  const { session, at, store, kept } = value as Partial<Noted>;
  if (typeof session !== "string" || typeof store !== "string" || typeof at !== "string") return false;
  return !Number.isNaN(Date.parse(at)) && (kept === "here" || kept === "there");
}

function locate(home: string): string {
  return join(home, "deletions.json");
}
