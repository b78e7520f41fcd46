import { fromMarkdown } from "mdast-util-from-markdown";
import { escapeHtml } from "../../lib/escape-html.ts";
import { fenceFor } from "../../lib/markdown/fence.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { readInPlace } from "../../sessions/read-in-place.ts";
import type { Session } from "../../sessions/session.ts";
import { describeFacts, describeMoment, titleOf } from "../reading/describe-session.ts";
import { type Passage, type Piece, toPassage } from "../reading/to-passage.ts";

type Root = ReturnType<typeof fromMarkdown>;
type Nodes = Root | Root["children"][number];

/**
 * Returns a text in Markdown that cannot reach beyond itself: tags of HTML are shown, and a code block that was never
 * closed is closed.
 */
export function containMarkdown(text: string): string {
  const tree = fromMarkdown(text);
  let contained = text;
  for (const { from, to } of listHtml(tree).toReversed())
    contained = `${contained.slice(0, from)}${contained.slice(from, to).replaceAll("<", "&lt;")}${contained.slice(to)}`;
  const open = findOpenFence(tree, text);
  return open === undefined ? contained : `${contained}\n${open}`;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function listHtml(node: Nodes): readonly Range[] {
  if (node.type === "html")
    return [{ from: node.position?.start.offset ?? 0, to: node.position?.end.offset ?? 0 }];
  return "children" in node ? node.children.flatMap((child) => listHtml(child)) : [];
}

/** Returns the fence that would close the last code block, if nothing does. */
function findOpenFence(tree: Root, text: string): string | undefined {
  const last = tree.children.at(-1);
  if (last?.type !== "code") return undefined;
  const source = text.slice(last.position?.start.offset ?? 0, last.position?.end.offset ?? 0);
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(source)?.[1];
  if (fence === undefined) return undefined;
  const lines = source.split("\n");
  const end = lines.at(-1)?.trim() ?? "";
  const isClosed = lines.length > 1 && end.startsWith(fence) && end.replaceAll(fence[0] ?? "", "") === "";
  return isClosed ? undefined : fence;
}

/** Renders sessions as Markdown to read, piece by piece; calls and their results are folded. */
export async function* renderMarkdown(
  log: ConversationLog,
  sessions: readonly Session[],
): AsyncGenerator<string> {
  for (const session of sessions) {
    yield `# ${escapeWords(titleOf(session))}\n\n`;
    yield describeFacts(session)
      .map(([name, value]) => `- **${name}**: ${escapeWords(value)}\n`)
      .join("");
    for await (const entry of readInPlace(log, session.id)) yield renderPassage(toPassage(entry));
    yield "\n";
  }
}

/** The name of each speaker in the heading of what they said. */
export const speakerNames = { user: "User", assistant: "Assistant", tool: "Tool" } as const;

function renderPassage({ speaker, at, strand, model, pieces }: Passage): string {
  const told = pieces.map(renderPiece).filter((text) => text !== "");
  if (speaker === undefined || speaker === "tool") return told.map((text) => `\n${text}\n`).join("");
  const more = [strand === "main" ? "" : strand, model ?? "", describeMoment(at)].filter(
    (each) => each !== "",
  );
  return [
    `\n### ${speakerNames[speaker]} · ${escapeWords(more.join(" · "))}\n`,
    ...told.map((text) => `\n${text}\n`),
  ].join("");
}

function renderPiece(piece: Piece): string {
  switch (piece.type) {
    case "words":
      return containMarkdown(piece.text.trimEnd());
    case "note":
      return `> ${escapeWords(piece.text)}`;
    case "folded":
      return renderFolded(piece);
  }
}

function renderFolded({ label, hint, text, language }: Extract<Piece, { type: "folded" }>): string {
  const summary = [`<b>${escapeHtml(label)}</b>`, escapeHtml(hint)].filter((each) => each !== "").join(" ");
  const fence = fenceFor(text);
  return `<details>\n<summary>${summary}</summary>\n\n${fence}${language ?? ""}\n${text}\n${fence}\n\n</details>`;
}

/** Returns a text that is nothing but words in Markdown. */
function escapeWords(text: string): string {
  return text.replaceAll("\n", " ").replace(/[\\`*_[\]<>#|~&]/g, "\\$&");
}
