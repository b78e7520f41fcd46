import { escapeHtml } from "../../lib/escape-html.ts";
import { renderPageHead } from "../../lib/render-page-head.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { readShown } from "../../sessions/observations.ts";
import type { Session } from "../../sessions/session.ts";
import { speakerNames } from "../markdown/render-markdown.ts";
import { describeFacts, describeMoment, titleOf } from "../reading/describe-session.ts";
import type { Passage, Piece } from "../reading/piece.ts";
import { toPassage } from "../reading/to-passage.ts";
import { markdownToHtml } from "./markdown-to-html.ts";
import { pageStyle } from "./page-style.ts";
import { renderCode } from "./render-code.ts";

/** Renders sessions as one page that needs nothing else: no script, no picture, no font, and allows none. */
export async function* renderHtml(
  log: ConversationLog,
  sessions: readonly Session[],
  now: Date,
): AsyncGenerator<string> {
  const [first, ...others] = sessions;
  const title = first === undefined ? "Carryon" : titleOf(first);
  const named = others.length === 0 ? title : `${title} and ${others.length} more`;
  yield `${renderPageHead({ title: named, style: pageStyle })}<main>\n`;
  if (others.length > 0) yield renderContents(sessions);
  for (const [index, session] of sessions.entries()) {
    yield renderHeader(session, index);
    for await (const entry of readShown(log, session.id)) yield renderPassage(toPassage(entry));
    yield "</section>\n";
  }
  yield `<footer>Exported by Carryon, ${describeMoment(now)}.</footer>\n</main>\n</body>\n</html>\n`;
}

function renderContents(sessions: readonly Session[]): string {
  const items = sessions.map(
    (session, index) => `<li><a href="#s${index + 1}" dir="auto">${escapeHtml(titleOf(session))}</a></li>`,
  );
  return `<nav aria-label="Sessions"><ol>${items.join("")}</ol></nav>\n`;
}

function renderHeader(session: Session, index: number): string {
  const facts = describeFacts(session).map(
    ([name, value]) => `<dt>${name}</dt><dd dir="auto">${escapeHtml(value)}</dd>`,
  );
  return `<section id="s${index + 1}">\n<header><h1 dir="auto">${escapeHtml(titleOf(session))}</h1><dl>${facts.join("")}</dl></header>\n`;
}

function renderPassage({ speaker, at, strand, model, pieces }: Passage): string {
  const told = pieces.map(renderPiece).join("");
  if (speaker === undefined || speaker === "tool")
    return `<article class="${speaker ?? "note"}">${told}</article>\n`;
  const more = [strand === "main" ? undefined : strand, model].flatMap((each) =>
    each === undefined ? [] : [`<span>${escapeHtml(each)}</span>`],
  );
  const time = `<time datetime="${at.toISOString()}">${describeMoment(at)}</time>`;
  return `<article class="${speaker}"><h2>${speakerNames[speaker]} ${[...more, time].join(" ")}</h2>${told}</article>\n`;
}

function renderPiece(piece: Piece): string {
  switch (piece.type) {
    case "words":
      return markdownToHtml(piece.text);
    case "note":
      return `<p class="note" dir="auto">${escapeHtml(piece.text)}</p>`;
    case "folded": {
      const { label, hint, text, language, isFailure } = piece;
      const state = isFailure ? ' class="failed"' : "";
      const few = hint === "" ? "" : `<code>${escapeHtml(hint)}</code>`;
      return `<details${state}><summary><b>${escapeHtml(label)}</b>${few}</summary>${renderCode(text, language)}</details>`;
    }
  }
}
