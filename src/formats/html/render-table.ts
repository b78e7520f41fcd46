import { escapeHtml } from "../../lib/escape-html.ts";

/** Renders the source of a paragraph as a table if it is one: rows of cells between bars, with a rule below the first. */
export function renderTable(source: string): string | undefined {
  const [head, rule, ...rows] = source.split("\n");
  if (head === undefined || rule === undefined || !head.includes("|")) return undefined;
  if (!/^\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/.test(rule) || !rule.includes("-")) return undefined;
  const columns = splitRow(head).length;
  if (splitRow(rule).length !== columns) return undefined;
  const body = rows.map((row) => renderRow("td", splitRow(row).slice(0, columns))).join("");
  return `<div class="table"><table><thead>${renderRow("th", splitRow(head))}</thead><tbody>${body}</tbody></table></div>`;
}

function splitRow(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function renderRow(name: "td" | "th", cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${name} dir="auto">${renderCell(cell)}</${name}>`).join("")}</tr>`;
}

function renderCell(cell: string): string {
  return escapeHtml(cell)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
}
