import { fromMarkdown } from "mdast-util-from-markdown";

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
