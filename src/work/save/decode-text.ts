/** How much of a file tells what it is; git looks at as much. */
const sample = 8000;

/** Returns the text of a file in UTF-8, or in UTF-16 as some editors of Windows write it; undefined where it is none. */
export function decodeText(bytes: Buffer): string | undefined {
  const order = findWideOrder(bytes);
  if (order === "little") return bytes.toString("utf16le");
  if (order === "big") return swap(bytes).toString("utf16le");
  // What git takes for a binary file holds no text that can be read.
  return bytes.subarray(0, sample).includes(0) ? undefined : bytes.toString();
}

/** Tells in which order the two bytes of a character stand: by the mark at the beginning, else by where the zeros are. */
function findWideOrder(bytes: Buffer): "little" | "big" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "little";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "big";
  const { pairs, first, second } = countZeros(bytes.subarray(0, sample));
  // Text of other scripts has fewer zeros than English, but hardly any on the other side.
  const [some, hardlyAny] = [pairs * 0.4, pairs * 0.05];
  if (second > some && first <= hardlyAny) return "little";
  return first > some && second <= hardlyAny ? "big" : undefined;
}

/** Counts the pairs of bytes of which the first, or the second, is zero. */
function countZeros(bytes: Buffer): Readonly<Record<"pairs" | "first" | "second", number>> {
  const pairs = Math.floor(bytes.length / 2);
  let [first, second] = [0, 0];
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) first++;
    if (bytes[at + 1] === 0) second++;
  }
  return { pairs, first, second };
}

function swap(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
