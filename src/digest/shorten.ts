/** Words that a rule has: it holds beyond the request that it stands in. */
const rule =
  /\b(?:never|always|don'?t|do not|must(?:n't)?|no (?:need|more|longer)|not|only|keep|without|instead|should(?:n't)?|make sure|remember|prefer|avoid|unless|by default|at (?:most|least))\b/i;

/** Tells whether a sentence sets a rule. */
function isRule(sentence: string): boolean {
  return rule.test(sentence);
}

/** As much of the room is worth the beginning of a sentence. */
const worthFilling = 0.15;

/**
 * Shortens a text by whole sentences: keeps how it begins and ends, then those that set a rule, then as much as fits,
 * and the beginning of the next. Code is left out.
 */
export function shorten(
  text: string,
  most: number,
  measure: (text: string) => number = (each) => each.length,
): string {
  if (measure(text) <= most) return text;
  const pieces = sentencesOf(text);
  const rules = [...pieces.keys()].filter((index) => isRule(pieces[index] ?? ""));
  const kept = new Map<number, string>();
  let left = most;
  for (const index of [0, pieces.length - 1, ...rules, ...pieces.keys()]) {
    const piece = pieces[index] ?? "";
    const cost = measure(piece) + 1;
    if (kept.has(index) || cost > left || (index > 0 && isLeading(piece))) continue;
    kept.set(index, piece);
    left -= cost;
  }
  const next = pieces.findIndex((piece, index) => !(kept.has(index) || (index > 0 && isLeading(piece))));
  if (next >= 0 && left > most * worthFilling)
    kept.set(next, cutAtWord(pieces[next] ?? "", left - 1, measure));
  return [...kept.keys()]
    .toSorted((one, other) => one - other)
    .map((index) => `${index === 0 || kept.has(index - 1) ? "" : "… "}${kept.get(index)}`)
    .join(" ")
    .replaceAll("… …", "…");
}

/** A line that only leads to others says nothing without them. */
function isLeading(piece: string): boolean {
  return /:\W*$/.test(piece);
}

/** Splits a text into lines and sentences, without the marks of lists and headings. Code is left out. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .split(/(?<=[\w)\]"'`*]{2}[.!?][)\]"'`*]*)[^\S\n]+|(?<=[。！？])|\n+/)
    .map((piece) => piece.replace(/^[\s#>|]*(?:(?:[-*•]|\d+[.)])\s+)?/, "").trim())
    .filter((piece) => piece !== "");
}

/** Cuts a text at a word. */
function cutAtWord(text: string, most: number, measure: (text: string) => number): string {
  const size = measure(text);
  if (size <= most) return text;
  let length = Math.floor((text.length * most) / size);
  while (length > 0 && measure(text.slice(0, length)) > most) length = Math.floor(length * 0.9);
  return `${text
    .slice(0, length)
    .replace(/\s+\S*$/, "")
    .toWellFormed()}…`;
}
