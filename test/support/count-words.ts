import type { DigestFold } from "../../src/digest/read-digests.ts";
import type { Entry } from "../../src/sessions/entry.ts";

/** What the fold of the tests knows of a session. */
export interface WordCount {
  readonly from: string;
  readonly entries: number;
  readonly lastWords: string;
}

/** A small fold that also says which stretches of entries it was given. */
export function countWords(version = 1): DigestFold<WordCount> & { readonly given: (readonly number[])[] } {
  const given: (readonly number[])[] = [];
  return {
    version,
    given,
    start: ({ machine }) => ({ from: machine, entries: 0, lastWords: "" }),
    follow: (state, entries) => {
      given.push([entries[0]?.seq ?? 0, entries.at(-1)?.seq ?? 0]);
      return entries.reduce(addEntry, state);
    },
  };
}

function addEntry(state: WordCount, entry: Entry): WordCount {
  const text = entry.kind === "message" && entry.parts[0]?.type === "text" ? entry.parts[0].text : undefined;
  return { ...state, entries: state.entries + 1, lastWords: text ?? state.lastWords };
}
