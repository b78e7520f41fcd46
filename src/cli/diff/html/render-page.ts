import { describeMoment, describeTime, plural } from "../../../lib/describe.ts";
import { toPageText } from "../../../lib/escape-html.ts";
import { renderPageHead } from "../../../lib/render-page-head.ts";
import { mainStrand } from "../../../sessions/ids.ts";
import type {
  DiffCall,
  DiffItem,
  DiffSide,
  DiffStretch,
  SessionDiff,
} from "../../../sessions/session-diff.ts";
import { describeTitle } from "../../describe-title.ts";
import { listToldRounds } from "../render-rounds.ts";
import { itemText } from "../render-stretch.ts";
import { describeDecision, describeShared, listChanged, listRows } from "../render-summary.ts";

/** By this a page of ours is known. */
export const pageGenerator = '<meta name="generator" content="carryon diff">';

/** Renders a comparison as one page that needs nothing else: no script, no network, no other file. */
export function renderPage(diff: SessionDiff): string {
  const { left, right } = diff;
  const title = `${describeTitle(left.session)} ↔ ${describeTitle(right.session)}`;
  return `${renderPageHead({ title, style: pageStyle, mark: pageGenerator })}<h1>Two sessions compared</h1>
<header class="pair">${renderSide("A", left)}${renderSide("B", right)}</header>
<p class="shared">${toPageText(describeShared(diff, describeMoment))}</p>
${renderTable(diff)}${renderRounds(diff)}${renderFiles(diff)}${renderDecisions(diff)}
<main><h2>What each did</h2>
${diff.stretches.map((stretch) => renderStretch(diff, stretch)).join("\n")}
</main>
<footer>Made with carryon diff. What looked like a secret when it was recorded is not in it.</footer>
</body>
</html>
`;
}

function renderSide(letter: "A" | "B", { session, strand, end }: DiffSide): string {
  const facts = [
    ...(strand === null ? [] : [`strand ${strand}`]),
    ...(end === null ? [] : [`path to #${end}`]),
    ...[session.client, session.projectName, session.machine, session.status],
    ...[plural(session.messages, "message"), describeMoment(session.startedAt)],
  ];
  return `<section class="side ${letter.toLowerCase()}"><strong><span class="letter">${letter}</span>${toPageText(describeTitle(session))}</strong>
<div class="id">${toPageText(session.id)}</div><div class="facts">${toPageText(facts.join(" · "))}</div></section>`;
}

function renderTable(diff: SessionDiff): string {
  const rows = listRows(diff).map(
    ({ name, left, right }) =>
      `<tr><th scope="row">${toPageText(name)}</th><td>${toPageText(left)}</td><td>${toPageText(right)}</td></tr>`,
  );
  return `<h2>In figures</h2>
<table><thead><tr><td></td><th scope="col"><span class="letter">A</span></th><th scope="col"><span class="letter b">B</span></th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

function renderRounds(diff: SessionDiff): string {
  const rounds = listToldRounds(diff).map(
    ({ number, by, text }) => `<li><span class="tag">${number} ${by}</span>${toPageText(text)}</li>`,
  );
  return rounds.length === 0 ? "" : `<h2>Rounds</h2><ul class="decisions">${rounds.join("\n")}</ul>`;
}

function renderFiles(diff: SessionDiff): string {
  const files = listChanged(diff).map(({ path, by }) => {
    const [told, kind] = by === "both" ? ["both changed", ' class="both"'] : [by, ""];
    return `<li${kind}><span class="tag">${told}</span><code>${toPageText(path)}</code></li>`;
  });
  return files.length === 0 ? "" : `<h2>Files changed</h2><ul class="files">${files.join("\n")}</ul>`;
}

function renderDecisions({ left, right }: SessionDiff): string {
  const list = (letter: "A" | "B", { own }: DiffSide) =>
    own.decisions.map(
      (decision) => `<li><span class="tag">${letter}</span>${toPageText(describeDecision(decision))}</li>`,
    );
  const all = [...list("A", left), ...list("B", right)];
  return all.length === 0 ? "" : `<h2>Decisions</h2><ul class="decisions">${all.join("\n")}</ul>`;
}

function renderStretch({ left, right }: SessionDiff, stretch: DiffStretch): string {
  const ours = left.items.slice(stretch.left.from, stretch.left.to);
  if (stretch.same) {
    const told = `${plural(ours.length, "entry", "entries")}, the same in both`;
    return `<details class="same"><summary>${told}</summary>${renderItems(ours)}</details>`;
  }
  const theirs = right.items.slice(stretch.right.from, stretch.right.to);
  return `<section class="pair stretch"><div class="column a">${renderItems(ours)}</div>
<div class="column b">${renderItems(theirs)}</div></section>`;
}

function renderItems(items: readonly DiffItem[]): string {
  return items.map(renderPageItem).join("\n");
}

/** How the page looks. It is named by its hash in the policy of the page, which allows nothing else. */
const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2128; --soft: #59636e; --paper: #fff; --card: #f6f8fa; --line: #d1d9e0;
  --a: #0b6bcb; --b: #9a5b00; --user: #0b7285; --assistant: #2b7a3d; --tool: #8a6100; --bad: #c4262e; --same: #eef1f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #dce3ea; --soft: #93a1af; --paper: #0f141a; --card: #171d25;
  --line: #303a46; --a: #6cb6ff; --b: #e0a84c; --user: #4fc3d9; --assistant: #6fcf85; --tool: #d9b44a; --bad: #ff7b72;
  --same: #1a222c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 110rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.1rem; margin: 0 0 1rem; color: var(--soft); font-weight: 600; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
h3 { font-size: .85rem; margin: 0; font-weight: 600; }
h3 small, .facts { color: var(--soft); font-weight: 400; }
code, .id { font: .85em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.id { overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }
.side { background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--a); border-radius: 6px; padding: .75rem 1rem; }
.side.b { border-top-color: var(--b); }
.side strong { font-size: 1.15rem; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.letter { color: var(--a); margin-right: .4rem; } .b .letter, .letter.b { color: var(--b); }
.shared { margin: 1rem 0 0; padding: .6rem 1rem; border: 1px dashed var(--line); border-radius: 6px; text-align: center; color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th[scope=row] { font-weight: 400; color: var(--soft); white-space: nowrap; width: 1%; }
ul { list-style: none; margin: 0; padding: 0; }
.files li, .decisions li { padding: .15rem 0; overflow-wrap: anywhere; }
.tag { display: inline-block; min-width: 6.5rem; color: var(--soft); font-size: .85em; }
.both .tag, .both code { color: var(--bad); font-weight: 600; }
.stretch { margin-top: .75rem; align-items: start; }
.column { display: grid; gap: .5rem; border-left: 3px solid var(--a); padding-left: .75rem; min-height: 1px; }
.column.b { border-left-color: var(--b); }
.column:empty { border-left-color: transparent; }
.item { padding: .4rem 0; min-width: 0; }
.item.user h3 { color: var(--user); } .item.assistant h3 { color: var(--assistant); } .item.tool h3 { color: var(--tool); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; margin: .15rem 0 0; }
details > summary { cursor: pointer; color: var(--soft); font-size: .9em; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid var(--a); outline-offset: 2px; }
.calls li { padding: .1rem 0 .1rem 1rem; overflow-wrap: anywhere; }
.failed { color: var(--bad); } .said { display: block; color: var(--soft); padding-left: 1rem; }
.same { margin-top: .75rem; background: var(--same); border-radius: 6px; padding: .4rem 1rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .85em; }
@media (max-width: 50rem) { .pair { grid-template-columns: minmax(0, 1fr); } body { padding: 1rem; } }
@media print { body { max-width: none; } .item { break-inside: avoid; } }
`;

/** A longer text is folded. */
const [mostLines, mostCharacters] = [12, 1200];

const roles: ReadonlySet<string> = new Set(["user", "assistant", "tool"]);

/** Renders one thing that a side did. */
function renderPageItem(item: DiffItem): string {
  const { name, seq, strand, at, calls } = item;
  const facts = [`#${seq}`, ...(strand === mainStrand ? [] : [strand]), describeTime(at)].join(" · ");
  return `<article class="item ${roles.has(name) ? name : "event"}"><h3>${toPageText(name)} <small>${toPageText(facts)}</small></h3>
${renderText(item)}${renderCalls(calls)}</article>`;
}

function renderText(item: DiffItem): string {
  const text = itemText(item).trimEnd();
  if (text === "") return "";
  const omitted =
    item.omitted === 0 ? "" : `<p class="facts">… ${plural(item.omitted, "more character")}</p>`;
  const whole = `<p class="text">${toPageText(text)}</p>${omitted}`;
  const lines = text.split("\n");
  if (lines.length <= mostLines && text.length <= mostCharacters) return whole;
  const more = lines.length > 1 ? `${lines.length} lines` : `${text.length} characters`;
  const [first = ""] = lines;
  const opening = first.length > 160 ? `${first.slice(0, 160).toWellFormed()}…` : first;
  return `<details><summary>${toPageText(opening)} (${more})</summary>${whole}</details>`;
}

/** Tool calls are folded; how many of them failed is told before. */
function renderCalls(calls: readonly DiffCall[]): string {
  if (calls.length === 0) return "";
  const failed = calls.filter(({ outcome }) => outcome === "failed").length;
  const told = failed === 0 ? "" : ` <span class="failed">${failed} failed</span>`;
  const names = [...new Set(calls.map(({ name }) => name))].slice(0, 5).join(", ");
  return `<details class="calls"><summary>${plural(calls.length, "tool call")}: ${toPageText(names)}${told}</summary>
<ul>${calls.map(renderCall).join("\n")}</ul></details>`;
}

function renderCall({ name, input, outcome, said }: DiffCall): string {
  const mark = { done: "→", failed: "✗", open: "?" }[outcome];
  const why = said === "" ? "" : `<span class="said">${toPageText(said)}</span>`;
  return `<li${outcome === "failed" ? ' class="failed"' : ""}>${mark} ${toPageText(name)} <code>${toPageText(input)}</code>${why}</li>`;
}
