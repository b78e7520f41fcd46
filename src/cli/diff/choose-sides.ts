import { AppError } from "../../lib/app-error.ts";
import { describeDay, describeTime } from "../../lib/describe-time.ts";
import { plural } from "../../lib/plural.ts";
import { findReplayed } from "../../sessions/find-replayed.ts";
import { isName, mainStrand, type Strand } from "../../sessions/ids.ts";
import type { Session } from "../../sessions/session.ts";
import { readPaths, type SidePath } from "../../sessions/session-paths.ts";
import type { SideRequest } from "../../sessions/side-reader.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";
import { requireStrand } from "../require-strand.ts";
import { findSide, nameSide } from "./find-side.ts";

/** What a person typed. */
export interface SidesAsked {
  readonly left: string;
  readonly right?: string | undefined;
  readonly strand?: Strand | undefined;
  readonly paths?: boolean;
}

/** Finds the two sides that are to be compared; with one session, its origin or one of its paths is the other. */
export async function chooseSides(
  context: CommandContext,
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
    if (found === undefined) throw originGone(session, origin);
    return { session: found, strand };
  }
  throw new AppError(
    `Session ${session.id} is no fork and no replay, so that there is nothing to compare it with.`,
    {
      kind: "usage",
      code: "no-other-side",
      hint: `Name a second session, or compare its paths with \`carryon diff ${session.id} --paths\``,
    },
  );
}

function originGone({ id }: Session, origin: string): AppError {
  return new AppError(`Session ${id} comes from ${origin}, which is not in this store.`, {
    kind: "usage",
    code: "no-other-side",
    hint: `It was deleted, or never came here. Name what to compare with: \`carryon diff OTHER ${id}\``,
  });
}

function sameSide({ id }: Session): AppError {
  return new AppError(`Both are the same session, ${id}.`, {
    kind: "usage",
    code: "same-session",
    hint: `Name another one, two strands as \`${id}:STRAND\`, or see its paths with \`carryon diff ${id} --paths\``,
  });
}

/** Returns the newest side path, and tells of the others. */
async function chooseSidePath(
  context: CommandContext,
  here: OpenProject,
  { session, strand }: SideRequest,
): Promise<SideRequest> {
  const sides = (await readPaths(here.store.log, session, strand ?? mainStrand)).sidePaths();
  const last = sides.at(-1);
  if (last === undefined) throw noSidePath(session);
  if (sides.length > 1) {
    context.err(`Session ${session.id} has ${sides.length} side paths; this is the newest of them.\n`);
    for (const side of sides) context.err(`  ${describeSidePath(session, side)}\n`);
  }
  return { session, strand, end: last.end };
}

function noSidePath({ id }: Session): AppError {
  return new AppError(`Session ${id} has no side path, or a merge has joined it already.`, {
    kind: "usage",
    code: "no-side-path",
  });
}

/** Says how a side path is named, how long it is and when it was. */
export function describeSidePath(
  session: Session,
  { end, partsAt, entries, firstAt, lastAt }: SidePath,
): string {
  const when = `${describeDay(firstAt)} ${describeTime(firstAt)} – ${describeTime(lastAt)}`;
  return `${nameSide({ session, end })}  ${plural(entries.length, "entry", "entries")} from #${partsAt} on, ${when}`;
}
