import { createRequire } from "node:module";
import type { Options } from "mdast-util-from-markdown";

/** The parser of Markdown, beside the bundle that asks for it. */
export const markdownFile = "start-markdown.cjs";

/**
 * What `mdast-util-from-markdown` does, loaded when the first document needs it: a session that begins reads plain lines.
 *
 * Bundles take it in the place of the package: see scripts/bundle-start.ts.
 */
export function fromMarkdown(text: string, options: Options) {
  const parser: typeof import("mdast-util-from-markdown") = createRequire(import.meta.url)(
    `./${markdownFile}`,
  );
  return parser.fromMarkdown(text, options);
}
