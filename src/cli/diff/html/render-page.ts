import { describeDay, describeTime } from "../../../lib/describe-time.ts";
import { toPageText } from "../../../lib/escape-html.ts";
import { plural } from "../../../lib/plural.ts";
import { renderPageHead } from "../../../lib/render-page-head.ts";
import type { DiffItem, DiffSide, DiffStretch, SessionDiff } from "../../../sessions/session-diff.ts";
import { describeTitle } from "../../describe-title.ts";
import { listToldRounds } from "../render-rounds.ts";
import { describeDecision, describeShared, listChanged, listRows } from "../render-summary.ts";
import { pageStyle } from "./page-style.ts";
import { renderPageItem } from "./render-page-item.ts";

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

function describeMoment(at: Date): string {
  return `${describeDay(at)} ${describeTime(at)}`;
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
