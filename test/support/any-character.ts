import fc from "fast-check";

const surrogates = { from: 0xd800, count: 0x800 };

/**
 * Any Unicode character but a lone surrogate: the unit `"binary"` of fast-check without its table of a million strings.
 *
 * The table takes 85 MB, and the larger a process is the longer it takes to start another one.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(
    (number) => String.fromCodePoint(number < surrogates.from ? number : number + surrogates.count),
    toNumber,
  );

/** Lets fast-check also try texts of its own, such as `__proto__`. */
function toNumber(text: unknown): number {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== text)
    throw new Error("This is not one character.");
  return point < surrogates.from ? point : point - surrogates.count;
}
