import type { FalseClaim, HandoffCase } from "./case.ts";

/** What a text told of a case. */
export interface Verdict {
  /** The ids of the facts that it told. */
  readonly told: ReadonlySet<string>;
  /** The ids of the false claims that it made. */
  readonly claimed: readonly string[];
}

export function judge({ facts, claims }: HandoffCase, text: string): Verdict {
  const normal = normalise(text);
  const lines = underHeadings(text);
  return {
    told: new Set(facts.filter(({ told }) => fits(told, normal)).map(({ id }) => id)),
    claimed: claims.filter((claim) => isMade(claim, lines)).map(({ id }) => id),
  };
}

/** Takes out the marks of Markdown and makes white space one blank. */
export function normalise(text: string): string {
  return text.replaceAll(/[`*]/g, "").replaceAll(/\s+/g, " ");
}

export function fits(matchers: readonly RegExp[], normal: string): boolean {
  return matchers.some(({ source }) => new RegExp(source, "i").test(normal));
}

const longestHeading = 90;

/** Returns each line behind the heading that it stands under. */
function underHeadings(text: string): readonly string[] {
  let heading = "";
  return text.split("\n").map((each) => {
    const line = each.replaceAll(/[`*]/g, "").trim();
    const isHeading = /^#|:$/.test(line) && line.length < longestHeading;
    if (isHeading) heading = line.replace(/^#+\s*/, "").replace(/:$/, "");
    return `${heading} :: ${isHeading ? "" : line}`;
  });
}

function isMade({ told }: FalseClaim, lines: readonly string[]): boolean {
  return told.some(({ source }) => {
    const matcher = new RegExp(asLabel(source), "i");
    return lines.some((line) => matcher.test(line));
  });
}

const labelled = /^\(((?:[^()]|\([^()]*\))*)\)(?:\\w\*)?\.\*([\s\S]*)$/;

/**
 * Makes "(words).*claim" mean that the claim is told under such a label.
 *
 * The label is in the heading or at the start of the line; a failure may also be told behind what failed.
 */
function asLabel(source: string): string {
  const [, words, claim] = labelled.exec(source) ?? [];
  if (words === undefined || claim === undefined) return source;
  const inHeading = `\\b(?:${words})\\w*[^:]*:: .*(?:${claim})`;
  const atStart = `:: \\W*(?:[\\w#./-]+ ){0,3}?(?:${words})\\w*\\b.*(?:${claim})`;
  const failed = `(?:${claim}).{0,160}(?:→|->|:|\\bis|\\bare|\\bstill)\\s*(?:failed|failing|fails|red)\\b`;
  return `(?:${[inHeading, atStart, ...(words.includes("fail") ? [failed] : [])].join("|")})`;
}
