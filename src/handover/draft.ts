import { parseSession } from "./parse-session.ts";
import { carryForward, type SessionFacts } from "./session/carry-forward.ts";
import { renderSession } from "./session/render-session.ts";
import { rewriteSession } from "./session/rewrite-session.ts";
import { autoDraft, emptySession } from "./session-doc.ts";
import {
  beginWork,
  endWork,
  type SessionDesk,
  type SessionRequest,
  type WrittenSession,
} from "./session-work.ts";

/** What a draft is given beside what it finds out itself. */
export interface DraftRequest extends SessionRequest {
  /** What was done; each is listed once. */
  readonly done?: readonly string[];
  /** The next action, which stays until it is done. */
  readonly next?: string;
  readonly goal?: string;
  readonly activeGoals?: string;
}

/**
 * Brings session.md up to what is known, without a person. With nothing new nothing is written.
 *
 * The versions before and after are in the log before the document changes, so that no draft loses a polished text.
 */
export async function draft(desk: SessionDesk, request: DraftRequest): Promise<WrittenSession> {
  const { done = [], next, goal, activeGoals } = request;
  const work = await beginWork(desk, request);
  const allDone = [...done, ...(work.derived?.done ?? [])];
  const text = draftSession(work.basis?.text, { ...work.facts, goal, activeGoals, done: allDone, next });
  return endWork(work, text, { next, goal });
}

/**
 * Returns the session.md that is written without a person: what is known is carried forward, the rest is brought up to
 * the facts. With nothing new, the previous text is returned as it is, polished or not.
 */
export function draftSession(previous: string | undefined, facts: SessionFacts): string {
  const marks = { generated: facts.today, mode: autoDraft };
  if (previous === undefined) return renderSession({ ...carryForward(emptySession, facts), ...marks });
  const { doc } = parseSession(previous);
  const { generated: _generated, mode: _mode, ...parts } = carryForward(doc, facts);
  const text = rewriteSession(previous, parts);
  return text === previous ? previous : rewriteSession(text, marks);
}
