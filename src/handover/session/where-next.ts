import { parseSession } from "../parse-session.ts";
import type { KnownText } from "./session-basis.ts";

/** Says for which branch and since when a session.md has its next action; an older version knows only its own branch. */
export function whereNext({ text, note, at }: KnownText): {
  readonly on: string | undefined;
  readonly at: Date | undefined;
} {
  const { nextOn, nextAt } = note?.data ?? {};
  return {
    on: typeof nextOn === "string" ? nextOn : parseSession(text).doc.branch || undefined,
    at: typeof nextAt === "string" ? new Date(nextAt) : at,
  };
}
