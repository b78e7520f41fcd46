import type { Entry, Json } from "../sessions/entry.ts";
import type { Session } from "../sessions/session.ts";
import { afterReset, isOwnSummary, visibleTalk } from "../sessions/visible-talk.ts";
import { listReplMessages, type ReplMessage } from "./sexp/repl-messages.ts";

/** Smaller numbers than this are not normal, and a reader of Lisp may refuse them. */
const smallestNormal = 2.2250738585072014e-308;

/**
 * Renders a text: a string in which only quotation marks and backslashes are escaped.
 *
 * Half of a surrogate pair has no form in UTF-8: a text with one is `(:text "before" 55296 "after")`, strings and the
 * numbers of code units.
 */
export function renderText(text: string): string {
  if (text.isWellFormed()) return renderString(text);
  const pieces = text.match(/\p{Cs}|\P{Cs}+/gu) ?? [];
  const rendered = pieces.map((piece) =>
    /^\p{Cs}$/u.test(piece) ? String(piece.charCodeAt(0)) : renderString(piece),
  );
  return `(:text ${rendered.join(" ")})`;
}

function renderString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Renders a value of JSON so that nothing of it is lost: `nil` would be null, false, and an empty list. */
export function renderJson(value: Json): string {
  if (value === null) return ":null";
  if (typeof value === "boolean") return value ? ":true" : ":false";
  if (typeof value === "number") return renderNumber(value);
  if (typeof value === "string") return renderText(value);
  if (isList(value)) return `(${[":array", ...value.map(renderJson)].join(" ")})`;
  const fields = Object.entries(value).map(([key, each]) => `(${renderText(key)} ${renderJson(each)})`);
  return `(${[":object", ...fields].join(" ")})`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A number with a fraction is one of double precision, whatever the reader takes for a float. */
function renderNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (Math.abs(value) < smallestNormal) return `(:number "${value}")`;
  const text = String(value);
  return text.includes("e") ? text.replace("e", "d") : `${text}d0`;
}

/** How much of a session is rendered: the stretch after its last reset, or all of it. */
export type Stretch = "after-reset" | "all";

/** Renders a session as the form that the REPL saves, one message a line. */
export function renderReplSession(
  session: Pick<Session, "id" | "startedAt" | "updatedAt">,
  entries: readonly Entry[],
  stretch: Stretch,
): string {
  const chosen = stretch === "all" ? entries : afterReset(entries);
  const summary = afterReset(entries).findLast(isOwnSummary);
  const seen = new Set<string>(visibleTalk(afterReset(entries)).messages.map(({ id }) => id));
  const messages = listReplMessages(chosen).map(({ entry, message }) => ({
    ...message,
    isSummarized: summary !== undefined && !seen.has(entry),
  }));
  return [
    "(:repl-session (:session-version 1)",
    ` :id ${renderText(session.id)}`,
    ` :created-at ${renderText(session.startedAt.toISOString())}`,
    ` :last-modified ${renderText(session.updatedAt.toISOString())}`,
    ` :message-count ${messages.length}`,
    ` :summary ${summary === undefined ? "nil" : renderText(summary.text)}`,
    ` :messages (${messages.map(renderMessage).join("\n            ")}))`,
    "",
  ].join("\n");
}

function renderMessage(message: ReplMessage & { readonly isSummarized: boolean }): string {
  const { role, content, at, calls, call, isSummarized } = message;
  const rendered = calls.map(
    ({ id, name, arguments: given }) =>
      `(:id ${renderText(id)} :name ${renderText(name)} :arguments ${renderJson(given)})`,
  );
  return [
    `(:role :${role} :content ${renderText(content)} :timestamp ${renderText(at.toISOString())}`,
    `:tool-calls ${rendered.length === 0 ? "nil" : `(${rendered.join(" ")})`}`,
    `:tool-call-id ${call === null ? "nil" : renderText(call)}${isSummarized ? " :summarized :true" : ""})`,
  ].join(" ");
}
