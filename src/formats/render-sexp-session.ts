import type { Entry } from "../sessions/entry.ts";
import type { Session } from "../sessions/session.ts";
import { afterReset, isOwnSummary, visibleTalk } from "../sessions/visible-talk.ts";
import { renderJson, renderText } from "./sexp/render-sexp.ts";
import { listReplMessages, type ReplMessage } from "./sexp/repl-messages.ts";

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
