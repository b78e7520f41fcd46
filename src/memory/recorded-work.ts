import type { Digest } from "../digest/digest.ts";
import { openDigests } from "../digest/read-digests.ts";
import type { RecordedWork } from "../handover/recorded-work.ts";
import type { Session } from "../sessions/session.ts";
import type { ReadOnlyWorkspace } from "../workspace/workspace.ts";
import { readWorkstreams } from "./earlier-work.ts";
import { chooseWorkstream } from "./workstreams.ts";

/** The end of a turn, as its hook saw it: the transcript may get the last answer later. */
interface TurnEnd {
  readonly at: Date;
  /** The last answer; "" when the hook was not given it. */
  readonly text: string;
}

interface WorkRequest {
  /** The session, or its id in its client; by default the last one of the work that goes on here. */
  readonly session?: string | undefined;
  readonly turnEnd?: TurnEnd | undefined;
}

/** Returns the recorded work that a session.md is filled from; undefined when the store has none. */
export async function readRecordedWork(
  here: Pick<ReadOnlyWorkspace, "store" | "log" | "project" | "branch" | "clock">,
  { session: wanted, turnEnd }: WorkRequest = {},
): Promise<RecordedWork | undefined> {
  const digests = openDigests(here.store);
  const workstreams = await readWorkstreams({ ...here, digests });
  const isWanted = ({ id, clientSessionId }: Session) => id === wanted || clientSessionId === wanted;
  const stream =
    wanted === undefined
      ? chooseWorkstream(workstreams, here.branch, here.clock.now())
      : workstreams.find(({ sessions }) => sessions.some(isWanted));
  if (stream === undefined || (wanted === undefined && stream.isTrivial)) return undefined;
  const session = stream.sessions.find(isWanted) ?? stream.newest;
  const digest = (await digests([session])).get(session.id);
  if (digest === undefined) return undefined;
  // Later work of another session says nothing about this one.
  const whole = stream.newest.id === session.id ? stream.digest : digest;
  return {
    title: session.title,
    own: digest,
    whole: turnEnd === undefined ? whole : endTurn(whole, turnEnd),
  };
}

/**
 * Returns the recorded work for somebody who asks for a draft now: an agent in its own session, or a person in none. An
 * agent that asks is in the middle of its turn, which is not an interruption.
 */
export function readCallersWork(
  here: Parameters<typeof readRecordedWork>[0],
  session: string | undefined,
): Promise<RecordedWork | undefined> {
  return readRecordedWork(
    here,
    session === undefined ? {} : { session, turnEnd: { at: here.clock.now(), text: "" } },
  );
}

/** Adds the answer with which a turn ended; no call is left open then. */
function endTurn(digest: Digest, { at, text }: TurnEnd): Digest {
  const [asked, answered] = [digest.words.at(-1), digest.answers.at(-1)];
  const isAnswered = answered !== undefined && answered.at >= (asked?.at ?? 0);
  const source = answered ?? asked;
  if (source === undefined || (text === "" && isAnswered)) return { ...digest, lastCall: null };
  const last = Math.max(at.getTime(), digest.updatedAt ?? 0);
  const answer = { entry: source.entry, seq: digest.seq, at: last, text };
  return { ...digest, answers: [...digest.answers, answer], lastCall: null };
}
