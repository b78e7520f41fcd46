import { type Digest, lineKey, type Source } from "../digest/digest.ts";
import { findNextStep, goalOf, type WorkStatus } from "../digest/judge-work.ts";
import { readSessionDigests } from "../digest/read-digests.ts";
import { describeDigest, type SectionName } from "../digest/sections.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { Session } from "../sessions/session.ts";
import type { ReadOnlyWorkspace } from "../workspace/workspace.ts";
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
  let number = 0;
  const sections = described.map(({ name, title, lines }) => ({
    name,
    title,
    lines: lines.map(({ text, sources }) => {
      number += 1;
      return { number, text, sources };
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
