import fc from "fast-check";

/** Makes any way to cut a text into pieces, also in the middle of a character, and with empty ones. */
export function anyPieces(text: string): fc.Arbitrary<readonly string[]> {
  const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 8 });
  return cuts.map((places) => {
    const sorted = [0, ...places.toSorted((one, other) => one - other), text.length];
    return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
  });
}
