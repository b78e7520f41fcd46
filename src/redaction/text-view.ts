import type { TextView } from "./rule.ts";

/** What ends a word, a value without quotes, the value of a header, and whatever else is written without a gap. */
const wordStop = /[^A-Za-z0-9_]/g;
const bareStop = /[\s\p{Cc}"'\x60<>(){}\],;|\\]|&(?=&|[\w.%-]{1,64}=)|\[(?!redacted:)/gu;
const headerStop = /[\p{Cc}"'\x60\\]/gu;
/** Quotes and backslashes end a value where something follows that ends a string, not where they stand within it. */
const openStop = /[\s\p{Cc}]|["'\x60](?=[\s,:;)}\]>|&\\]|$)|\\(?=[nrtu"'\x60\\]|$)/gu;
const settingStop = /[\s\p{Cc}"'\x60<>\\]|[&;,](?=[&\s]|[\w.%-]{1,64}=|$)|\)(?=[\s;,)]|$)/gu;
const lineStop = /[\s\p{Cc}]/gu;

/** Looks at a text so that no run of characters is walked through twice, however many places ask for its end. */
export function viewText(text: string): TextView {
  return {
    text,
    wordEnd: rememberEnds(text, wordStop),
    bareEnd: rememberEnds(text, bareStop),
    openEnd: rememberEnds(text, openStop),
    settingEnd: rememberEnds(text, settingStop),
    lineEnd: rememberEnds(text, lineStop),
    headerEnd: rememberEnds(text, headerStop),
  };
}

function rememberEnds(text: string, stop: RegExp): (at: number) => number {
  let from = 0;
  let to = 0;
  return (at) => {
    if (at >= from && at < to) return to;
    stop.lastIndex = at;
    from = at;
    to = stop.exec(text)?.index ?? text.length;
    return to;
  };
}
