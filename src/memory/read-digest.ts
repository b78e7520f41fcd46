import { type Digest, lineKey, type Source } from "../digest/digest.ts";
import { findNextStep, goalOf, type WorkStatus } from "../digest/judge-work.ts";
import { describeDigest, type Section, type SectionName } from "../digest/sections.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { EntryId, SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import type { ReadOnlyWorkspace } from "../workspace/workspace.ts";
import { readSessionDigests } from "./earlier-work.ts";
import { judgeSession } from "./workstreams.ts";

/** A line of a digest with the number by which it can be marked as wrong. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
  readonly sources: readonly Source[];
}

interface NumberedSection {
  readonly name: SectionName | "Wrong";
  readonly title: string;
  readonly lines: readonly NumberedLine[];
}

/** The digest of one session, for people and scripts. */
export interface SessionDigest {
  readonly session: Session;
  readonly goal: string;
  readonly status: WorkStatus;
  /** Undefined where nothing is open. */
  readonly next: string | undefined;
  /** The lines are numbered through all sections. */
  readonly sections: readonly NumberedSection[];
}

/** Returns the digest of a session, up to date. */
export async function readDigest(
  here: Pick<ReadOnlyWorkspace, "store">,
  session: Session,
): Promise<SessionDigest> {
  const digest = (await readSessionDigests(here, [session])).get(session.id);
  if (digest === undefined) throw new SessionNotFound(session.id);
  const described = [...describeDigest(digest, { branch: session.branch }), ...describeWrong(digest)];
  const place = await findPlaces(here.store.log, session.id, described);
  let number = 0;
  const sections = described.map(({ name, title, lines }) => ({
    name,
    title,
    lines: lines.map(({ text, sources }) => {
      number += 1;
      return { number, text, sources: sources.map(place) };
    }),
  }));
  return {
    session,
    goal: goalOf(digest),
    status: judgeSession(session, digest),
    next: findNextStep(digest)?.text,
    sections,
  };
}

/** Returns the lines that were marked as wrong, so that a person can take the mark back. */
function describeWrong(digest: Digest) {
  const wrong = new Set(digest.wrong);
  const all = describeDigest({ ...digest, wrong: [] }).flatMap(({ lines }) => lines);
  const lines = all.filter(({ text }) => wrong.delete(lineKey(text)));
  return lines.length === 0 ? [] : [{ name: "Wrong" as const, title: "Marked as wrong", lines }];
}

/** Returns what completes a source. The results of checks know their entries by id alone: the log knows their places. */
async function findPlaces(
  log: ConversationLog,
  session: SessionId,
  sections: readonly Pick<Section, "lines">[],
): Promise<(source: Source) => Source> {
  const sources = sections.flatMap(({ lines }) => lines.flatMap((line) => line.sources));
  const unplaced = new Set(sources.filter(({ seq }) => seq === 0).map(({ entry }) => entry));
  const places = new Map<EntryId, number>();
  if (unplaced.size > 0)
    for await (const { id, seq } of log.read(session)) {
      if (unplaced.delete(id)) places.set(id, seq);
      if (unplaced.size === 0) break;
    }
  return (source) => ({ ...source, seq: places.get(source.entry) ?? source.seq });
}
