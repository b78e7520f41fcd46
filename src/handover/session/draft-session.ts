import { parseSession } from "../parse-session.ts";
import { autoDraft, emptySession } from "../session-doc.ts";
import { carryForward, type SessionFacts } from "./carry-forward.ts";
import { renderSession } from "./render-session.ts";
import { rewriteSession } from "./rewrite-session.ts";

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
