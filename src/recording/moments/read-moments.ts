import type { LiveSessions } from "../../clients/claude-code/live-sessions.ts";
import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import { locateRoot } from "../../git/locate-root.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { isName, type SessionId } from "../../sessions/ids.ts";
import type { InboxItem } from "../../sessions/inbox.ts";
import type { Ingestion } from "../../sessions/ingestion.ts";
import type { Session } from "../../sessions/session.ts";
import type { GivenSessions } from "../intake/given-sessions.ts";
import { readHookNotes } from "../intake/hook-notes.ts";
import { followTurns, isBeginning, isMoment, type TurnSpan, turnAt } from "../intake/moments.ts";
import type { Pending } from "../intake/read-pending.ts";
import { isGiven } from "../intake/start-session.ts";

/** A moment of which a hook has told, and what is known of its session. */
export interface ToldMoment {
  readonly item: InboxItem;
  readonly session: SessionId;
  /** What the log knows of the session. */
  readonly known: Session | undefined;
  /** The turn that it ends or belongs to. */
  readonly turn: TurnSpan;
  /** When something was last heard of a session that was cut off before another began. */
  readonly cutOffAt?: Date;
  /** All that hooks have told of the session and is not in the log yet. */
  readonly items: readonly InboxItem[];
}

/** Where moments are read. */
export interface MomentSite extends CutOffSite {
  readonly given: GivenSessions;
  readonly ingestion: Ingestion;
}

/**
 * Returns the moments of which hooks have told, in the order of the inbox. Those of sessions that were deleted are none;
 * where a session begins after one that was cut off, that is a moment of the one before.
 */
export async function readMoments(site: MomentSite, pending: Pending): Promise<readonly ToldMoment[]> {
  const { log, ingestion } = site;
  const found: ToldMoment[] = [];
  const deletions = await ingestion.deletions("claude-code");
  for (const [name, { items }] of pending) {
    const session = name as SessionId;
    const isOurs = isName(name) && items.every(({ client }) => client === "claude-code");
    if (!isOurs || items.length === 0) continue;
    found.push(...(await readCutOff(site, name, items.findLast(isBeginning))));
    if (deletions.has(session) || !items.some(isMoment)) continue;
    const [known] = (await log.list({ id: session })).sessions;
    if (known !== undefined && known.client !== "claude-code" && !isGiven(site.given, session)) continue;
    found.push(...(await readOfSession(ingestion, { session, known, items })));
  }
  return found.sort((one, other) => one.item.key - other.item.key);
}

/** Returns the moment at which a session is known to have been cut off: another one begins where it was. */
async function readCutOff(
  site: MomentSite,
  name: string,
  item: InboxItem | undefined,
): Promise<readonly ToldMoment[]> {
  const cwd = item === undefined ? "" : readText(item, "cwd");
  const root = cwd === "" ? undefined : await locateRoot(cwd).catch(() => undefined);
  const known = root === undefined ? undefined : await findCutOff(site, root, name);
  if (item === undefined || known === undefined) return [];
  const { id: session, startedAt, updatedAt: cutOffAt } = known;
  const { notes } = await readHookNotes(site.ingestion, session);
  const fromMs = notes.turn?.toMs ?? startedAt.getTime() - 1;
  return [{ item, session, known, items: [], cutOffAt, turn: { fromMs, toMs: item.receivedAt.getTime() } }];
}

async function readOfSession(
  ingestion: Ingestion,
  { session, known, items }: Pick<ToldMoment, "session" | "known" | "items">,
): Promise<readonly ToldMoment[]> {
  const { notes } = await readHookNotes(ingestion, session);
  // What a fork shares with its origin was not done in it.
  const begun = known === undefined ? 0 : known.startedAt.getTime() - 1;
  let before = notes.turn;
  return items.filter(isMoment).map((item) => {
    const { fromMs, toMs } = turnAt(item, before);
    before = followTurns(before, [item]);
    return { item, session, known, items, turn: { fromMs: Math.max(fromMs, begun), toMs } };
  });
}

/** Returns a text that a hook was told at a moment; "" where it was told none. */
export function toldText({ item }: ToldMoment, name: string): string {
  return readText(item, name);
}

function readText({ payload }: InboxItem, name: string): string {
  return (isJsonObject(payload) ? textOf(payload, name) : undefined) ?? "";
}

/** Where a session is looked for that was cut off. */
interface CutOffSite {
  readonly log: ConversationLog;
  /** Which sessions are in use. */
  readonly live: LiveSessions;
  readonly machine: string;
}

/** How many of the newest sessions are looked through for one of the same folder. */
const most = 50;

/**
 * Returns the last session before another one in a work tree, if it was cut off there: its client is gone, and no hook
 * told of an end.
 */
async function findCutOff(
  { log, live, machine }: CutOffSite,
  root: string,
  than: string,
): Promise<Session | undefined> {
  const { sessions } = await log.list({ client: "claude-code", limit: most });
  for (const session of sessions) {
    if (session.id === than || session.machine !== machine) continue;
    const own = await locateRoot(session.cwd).catch(() => undefined);
    if (own === root) return isCutOff(live, session) ? session : undefined;
  }
  return undefined;
}

/** One whose client is gone is settled only at the end of a sync. */
function isCutOff(live: LiveSessions, { id, status }: Session): boolean {
  if (status !== "open") return status === "interrupted";
  return live !== undefined && live.get(id) !== "alive";
}
