import { createRequire } from "node:module";

/** What we use of highlight.js; its own types would bring those of a browser into all of our code. */
interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

const require = createRequire(import.meta.url);
/** Colours code of the common languages. */
export const hljs: Highlighter = require("highlight.js/lib/common");
