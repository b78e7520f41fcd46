import { type AppError, usageError } from "../lib/app-error.ts";
import { describeDay, describeTime, plural } from "../lib/describe.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import { EntryNotFound, SessionNotFound } from "../sessions/errors.ts";
import { findReplayed } from "../sessions/find-replayed.ts";
import { isName, mainStrand, parseStrand, type SessionId, type Strand } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import { readPaths, type SidePath } from "../sessions/session-paths.ts";
import type { SideRequest } from "../sessions/side-reader.ts";
import { findHere } from "./open-here.ts";
import type { OpenProject } from "./open-project.ts";
import type { Caller } from "./workspace.ts";

/** What a person typed. */
export interface SidesAsked {
  readonly left: string;
  readonly right?: string | undefined;
  readonly strand?: Strand | undefined;
  readonly paths?: boolean;
}

/** Finds the two sides that are to be compared; with one session, its origin or one of its paths is the other. */
export async function chooseSides(
  context: Caller,
  here: OpenProject,
  asked: SidesAsked,
): Promise<readonly [SideRequest, SideRequest]> {
  const left = await onStrand(here, await findSide(context, here, asked.left), asked.strand);
  if (asked.right !== undefined) {
    const right = await onStrand(here, await findSide(context, here, asked.right), asked.strand);
    if (nameSide(left) === nameSide(right)) throw sameSide(left.session);
    return [left, right];
  }
  if (left.end !== undefined) return [{ ...left, end: undefined }, left];
  if (asked.paths) return [left, await chooseSidePath(context, here, left)];
  return [await findOrigin(here, left), left];
}

async function onStrand(
  { store }: OpenProject,
  side: SideRequest,
  strand: Strand | undefined,
): Promise<SideRequest> {
  if (strand === undefined || side.strand !== undefined) return side;
  await requireStrand(store.log, side.session.id, strand);
  return { ...side, strand };
}

async function findOrigin(here: OpenProject, { session, strand }: SideRequest): Promise<SideRequest> {
  const origin = session.forkedFrom?.session ?? (await findReplayed(here.store.log, session.id));
  if (origin !== undefined) {
    const [found] = isName(origin)
      ? (await here.store.log.list({ id: origin as Session["id"] })).sessions
      : [];
    if (found === undefined)
      throw usageError(
        "no-other-side",
        `Session ${session.id} comes from ${origin}, which is not in this store.`,
        {
          hint: `It was deleted, or never came here. Name what to compare with: \`carryon diff OTHER ${session.id}\``,
        },
      );
    return { session: found, strand };
  }
  throw usageError(
    "no-other-side",
    `Session ${session.id} is no fork and no replay, so that there is nothing to compare it with.`,
    { hint: `Name a second session, or compare its paths with \`carryon diff ${session.id} --paths\`` },
  );
}

function sameSide({ id }: Session): AppError {
  return usageError("same-session", `Both are the same session, ${id}.`, {
    hint: `Name another one, two strands as \`${id}:STRAND\`, or see its paths with \`carryon diff ${id} --paths\``,
  });
}

/** Returns the newest side path, and tells of the others. */
async function chooseSidePath(
  context: Caller,
  here: OpenProject,
  { session, strand }: SideRequest,
): Promise<SideRequest> {
  const sides = (await readPaths(here.store.log, session, strand ?? mainStrand)).sidePaths();
  const last = sides.at(-1);
  if (last === undefined)
    throw usageError(
      "no-side-path",
      `Session ${session.id} has no side path, or a merge has joined it already.`,
    );
  if (sides.length > 1) {
    context.warn(`Session ${session.id} has ${sides.length} side paths; this is the newest of them.`);
    for (const side of sides) context.warn(`  ${describeSidePath(session, side)}`);
  }
  return { session, strand, end: last.end };
}

/** Says how a side path is named, how long it is and when it was. */
export function describeSidePath(
  session: Session,
  { end, partsAt, entries, firstAt, lastAt }: SidePath,
): string {
  const when = `${describeDay(firstAt)} ${describeTime(firstAt)} – ${describeTime(lastAt)}`;
  return `${nameSide({ session, end })}  ${plural(entries.length, "entry", "entries")} from #${partsAt} on, ${when}`;
}

const marked = /^(.+)([:@])([^:@]+)$/s;

/**
 * Finds what a person wants to compare or merge.
 *
 * A title may have a colon in it: so the whole is looked for first, and only then its parts.
 */
export async function findSide(context: Caller, here: OpenProject, text: string): Promise<SideRequest> {
  const [, name = "", sign, rest = ""] = marked.exec(text) ?? [];
  if (sign === undefined) return { session: await findHere(context, here, text) };
  const whole = await findOrNone(context, here, text);
  if (whole !== undefined) return whole;
  const session = await findHere(context, here, name);
  if (sign === ":") {
    const strand = parseStrand(rest);
    await requireStrand(here.store.log, session.id, strand);
    return { session, strand };
  }
  const end = /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
  if (end < 1 || end > session.entries) throw new EntryNotFound(session.id, rest);
  return { session, end };
}

async function findOrNone(
  context: Caller,
  here: OpenProject,
  text: string,
): Promise<SideRequest | undefined> {
  try {
    return { session: await findHere(context, here, text) };
  } catch (error) {
    if (error instanceof SessionNotFound) return undefined;
    throw error;
  }
}

/** Names a side as `findSide` reads it. */
export function nameSide({ session, strand, end }: SideRequest): string {
  return `${session.id}${strand === undefined ? "" : `:${strand}`}${end === undefined ? "" : `@${end}`}`;
}

/** Refuses a strand on which a session has no entries, and names those that it has. */
export async function requireStrand(log: ConversationLog, session: SessionId, strand: Strand): Promise<void> {
  for await (const _ of log.read(session, { strand })) return;
  const strands = new Set<Strand>();
  for await (const entry of log.read(session)) strands.add(entry.strand);
  throw usageError("strand-not-found", `Session ${session} has no entries on the strand ${strand}.`, {
    hint: strands.size === 0 ? "It has no entries at all." : `It has entries on: ${[...strands].join(", ")}`,
  });
}
