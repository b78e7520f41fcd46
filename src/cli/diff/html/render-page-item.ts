import { describeTime } from "../../../lib/describe-time.ts";
import { toPageText } from "../../../lib/escape-html.ts";
import { plural } from "../../../lib/plural.ts";
import { mainStrand } from "../../../sessions/ids.ts";
import type { DiffCall, DiffItem } from "../../../sessions/session-diff.ts";
import { itemText } from "../item-text.ts";

/** A longer text is folded. */
const [mostLines, mostCharacters] = [12, 1200];

const roles: ReadonlySet<string> = new Set(["user", "assistant", "tool"]);

/** Renders one thing that a side did. */
export function renderPageItem(item: DiffItem): string {
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
