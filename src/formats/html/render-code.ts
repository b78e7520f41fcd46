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
