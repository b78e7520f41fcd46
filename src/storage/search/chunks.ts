import { gapMark } from "./scan-texts.ts";

/** PostgreSQL keeps 16,383 positions and 1 MB a document. */
const mostTerms = 4000;
/** PostgreSQL keeps 255 places of a term in a document; without a place it would be in no phrase. */
const mostOfOne = 250;
/** The longest phrase that is looked for: one that begins in a chunk is whole there or in the next. */
export const longestPhrase = 32;

const term = /[A-Za-z0-9\u0080-\uFFFF]+/g;

/** Divides the terms of scanned texts into lists that each fit into a document; each begins with the end of the one before it. */
export function makeChunks(scanned: readonly string[]): readonly (readonly string[])[] {
  const chunks: (readonly string[])[] = [];
  let chunk: string[] = [];
  let counts = new Map<string, number>();
  const add = (each: string) => {
    chunk.push(each);
    if (each !== gapMark) counts.set(each, (counts.get(each) ?? 0) + 1);
  };
  for (const each of listTerms(scanned)) {
    if (chunk.length >= mostTerms || (counts.get(each) ?? 0) >= mostOfOne) {
      chunks.push(chunk);
      const repeated = chunk.slice(1 - longestPhrase);
      chunk = [];
      counts = new Map();
      for (const again of repeated) add(again);
    }
    add(each);
  }
  return chunk.length === 0 ? chunks : [...chunks, chunk];
}

function* listTerms(scanned: readonly string[]): Generator<string> {
  for (const [index, text] of scanned.entries()) {
    if (index > 0) yield gapMark;
    for (const [found] of text.matchAll(term)) yield found.toLowerCase();
  }
}
