import { createHash } from "node:crypto";
import { toPageText } from "./escape-html.ts";

/** What a page says before its body. */
interface PageHead {
  readonly title: string;
  readonly style: string;
  /** An element by which a page is known again; it stands among the first. */
  readonly mark?: string;
}

/**
 * Renders a page up to where its body begins.
 *
 * Its policy allows the style that is in it and nothing else, so that even a text that escaped its escaping could load,
 * run and send nothing.
 */
export function renderPageHead({ title, style, mark }: PageHead): string {
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${mark === undefined ? "" : `${mark}\n`}<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toPageText(title)}</title>
<style>${style}</style>
</head>
<body>
`;
}
