import { fromMarkdown } from "mdast-util-from-markdown";
import { escapeHtml } from "../../lib/escape-html.ts";
import { hljs } from "../highlighter.ts";

/** Longer code is shown without colours: they would take longer than anybody waits. */
const longestCode = 100_000;

/** Renders code with the colours of its language, which are made here so that the page needs no script. */
export function renderCode(code: string, language: string | undefined): string {
  const known =
    language !== undefined && code.length <= longestCode && hljs.getLanguage(language) !== undefined;
  const content = known ? hljs.highlight(code, { language, ignoreIllegals: true }).value : escapeHtml(code);
  return `<pre tabindex="0"><code>${content}</code></pre>`;
}

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root["children"][number];

/** A longer text would take longer to read as Markdown than anybody waits. */
const longest = 100_000;
/** Quotations and lists inside each other, on one line: each level takes time and stack. */
const deeplyNested = /^(?:[ \t]{0,3}(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){64}/m;

/**
 * Renders Markdown as HTML of our own making: tags in it are shown as text, pictures are named, nothing is loaded.
 *
 * A text that is too long or nested too deeply is shown as it was written.
 */
export function markdownToHtml(text: string): string {
  if (text.length > longest || deeplyNested.test(text)) return renderCode(text, undefined);
  return renderAll(fromMarkdown(text).children, text);
}

function renderAll(nodes: readonly Node[], source: string): string {
  return nodes.map((node) => renderNode(node, source)).join("");
}

/** The kinds of nodes that are an element around what is in them. */
const elements: Readonly<Record<string, string>> = {
  ...{ blockquote: "blockquote", listItem: "li", emphasis: "em", strong: "strong", delete: "del" },
};

function renderNode(node: Node, source: string): string {
  const element = Object.hasOwn(elements, node.type) ? elements[node.type] : undefined;
  if (element !== undefined && "children" in node)
    return `<${element}>${renderAll(node.children, source)}</${element}>`;
  switch (node.type) {
    case "paragraph":
      return renderTable(sliceOf(node, source)) ?? `<p dir="auto">${renderAll(node.children, source)}</p>`;
    case "heading":
      return renderHeading(node, source);
    case "list":
      return renderList(node, source);
    case "code":
      return renderCode(node.value, node.lang ?? undefined);
    case "link":
      return renderLink(node.url, renderAll(node.children, source));
    default:
      return renderLeaf(node, source);
  }
}

function renderLeaf(node: Node, source: string): string {
  switch (node.type) {
    case "text":
      return escapeHtml(node.value);
    case "inlineCode":
      return `<code>${escapeHtml(node.value)}</code>`;
    case "break":
      return "<br>";
    case "thematicBreak":
      return "<hr>";
    case "html":
      return escapeHtml(node.value);
    case "image":
      return `<span class="file">[image ${escapeHtml(node.alt || node.url)}]</span>`;
    default:
      // A reference to something defined elsewhere, or a kind that is new: shown as it was written.
      return `<span>${escapeHtml(sliceOf(node, source))}</span>`;
  }
}

/** The page has headings of its own; those of a text come below them. */
function renderHeading(node: Extract<Node, { type: "heading" }>, source: string): string {
  const level = Math.min(6, node.depth + 2);
  return `<h${level} dir="auto">${renderAll(node.children, source)}</h${level}>`;
}

function renderList(node: Extract<Node, { type: "list" }>, source: string): string {
  const name = node.ordered ? "ol" : "ul";
  const start =
    node.ordered && node.start != null && node.start !== 1 ? ` start="${Number(node.start)}"` : "";
  return `<${name}${start}>${renderAll(node.children, source)}</${name}>`;
}

/** Only addresses of the web and of mail are followed; others are shown. */
function renderLink(url: string, content: string): string {
  const address = escapeHtml(url);
  if (!/^(?:https?:|mailto:)/i.test(url)) return `${content} <code>${address}</code>`;
  return `<a href="${address}" rel="noopener noreferrer nofollow">${content}</a>`;
}

function sliceOf({ position }: Node, source: string): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

/** Renders the source of a paragraph as a table if it is one: rows of cells between bars, with a rule below the first. */
function renderTable(source: string): string | undefined {
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
