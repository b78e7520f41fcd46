import { escapeHtml } from "../../lib/escape-html.ts";
import { renderPageHead } from "../../lib/render-page-head.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { readInPlace } from "../../sessions/read-in-place.ts";
import type { Session } from "../../sessions/session.ts";
import { speakerNames } from "../markdown/render-markdown.ts";
import { describeFacts, describeMoment, titleOf } from "../reading/describe-session.ts";
import { type Passage, type Piece, toPassage } from "../reading/to-passage.ts";
import { markdownToHtml, renderCode } from "./markdown-to-html.ts";

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
    for await (const entry of readInPlace(log, session.id)) yield renderPassage(toPassage(entry));
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

/** The style of a page: one column that can be read on any screen, light or dark as the reader has it. */
const pageStyle = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --card: #f6f8fa;
  --user: #ddf4ff; --userline: #54aeff; --link: #0969da; --bad: #cf222e; --badcard: #ffebe9;
  --kw: #cf222e; --str: #0a3069; --num: #0550ae; --com: #59636e; --fn: #8250df; --tag: #116329; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #3d444d;
  --card: #151b23; --user: #0c2d4d; --userline: #1f6feb; --link: #4493f8; --bad: #f85149; --badcard: #3c1618;
  --kw: #ff7b72; --str: #a5d6ff; --num: #79c0ff; --com: #9198a1; --fn: #d2a8ff; --tag: #7ee787; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: .95rem; margin: 0 0 .35rem; display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; }
h2 span, time { font-weight: 400; font-size: .8rem; color: var(--soft); }
h3, h4, h5, h6 { font-size: 1.05rem; margin: 1.2rem 0 .4rem; line-height: 1.35; }
p, ul, ol, blockquote { margin: .5rem 0; }
ul, ol { padding-inline-start: 1.5rem; } li > p { margin: .15rem 0; }
blockquote { padding-inline-start: 1rem; border-inline-start: .25rem solid var(--line); color: var(--soft); }
a { color: var(--link); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; font-size: .85rem; color: var(--soft); }
dt { font-weight: 600; } dd { margin: 0; }
nav { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1.25rem; margin-bottom: 2rem; }
article { margin: 1.4rem 0; }
article.user { background: var(--user); border-inline-start: .25rem solid var(--userline); border-radius: .5rem; padding: .8rem 1rem; }
article.tool, article.note { margin: .4rem 0; }
.note { color: var(--soft); font-size: .85rem; margin: .3rem 0; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; background: var(--card); }
details.failed { border-color: var(--bad); background: var(--badcard); }
summary { cursor: pointer; padding: .4rem .8rem; font-size: .85rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
summary b { margin-inline-end: .5rem; } details.failed summary b { color: var(--bad); }
summary code { background: none; padding: 0; color: var(--soft); }
details pre { border: 0; border-top: 1px solid var(--line); border-radius: 0 0 .5rem .5rem; margin: 0; max-height: 32rem; }
code, pre { font: .85em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { background: var(--card); border-radius: .3rem; padding: .1em .3em; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; overflow: auto; white-space: pre-wrap; }
pre code { background: none; padding: 0; font-size: 1em; }
.table { overflow-x: auto; } table { border-collapse: collapse; margin: .5rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .7rem; text-align: start; }
.hljs-keyword, .hljs-literal, .hljs-type, .hljs-deletion { color: var(--kw); }
.hljs-string, .hljs-regexp, .hljs-meta { color: var(--str); } .hljs-number, .hljs-attr, .hljs-attribute, .hljs-variable { color: var(--num); }
.hljs-comment, .hljs-quote { color: var(--com); font-style: italic; } .hljs-title, .hljs-section { color: var(--fn); }
.hljs-name, .hljs-selector-tag, .hljs-built_in, .hljs-addition { color: var(--tag); }
footer { color: var(--soft); font-size: .8rem; border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
@media (max-width: 40rem) { main { padding: 1.25rem .9rem 3rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .35rem; } }
@media print { details pre { max-height: none; } article { break-inside: avoid-page; } }
`;
