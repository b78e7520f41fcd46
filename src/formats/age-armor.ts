import { BadImport } from "./bad-import.ts";
import { lineName, readLines } from "./source.ts";

export const armorStart = "-----BEGIN AGE ENCRYPTED FILE-----";
const armorEnd = "-----END AGE ENCRYPTED FILE-----";
const bytesPerLine = 48;
const linesAtOnce = 1000;
const armorLimits = { lineBytes: 1000, totalBytes: Number.POSITIVE_INFINITY, documentBytes: 0 };

/** Renders the bytes of an encrypted file as lines of text, which may go where bytes may not. */
export async function* renderArmor(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  yield `${armorStart}\n`;
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const joined = Buffer.concat([rest, chunk]);
    const whole = joined.length - (joined.length % bytesPerLine);
    yield toLines(joined.subarray(0, whole));
    rest = joined.subarray(whole);
  }
  yield toLines(rest);
  yield `${armorEnd}\n`;
}

function toLines(bytes: Buffer): string {
  return bytes.toString("base64").replace(/.{1,64}/g, "$&\n");
}

/** Returns the bytes of such lines; throws `BadImport` for anything else between the first and the last. */
export async function* readArmor(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasEnded = false;
  let found: Buffer[] = [];
  for await (const { number, text } of readLines(bytes, armorLimits)) {
    const line = text.trim();
    if (line === armorEnd) hasEnded = true;
    else if (line !== armorStart) found.push(decodeLine(line, lineName(number), { hasEnded }));
    if (found.length < linesAtOnce) continue;
    yield Buffer.concat(found);
    found = [];
  }
  if (!hasEnded) throw new BadImport("The end", "the encrypted file was cut off");
  yield Buffer.concat(found);
}

function decodeLine(line: string, where: string, { hasEnded }: { readonly hasEnded: boolean }): Buffer {
  if (hasEnded || !/^[A-Za-z0-9+/]+={0,2}$/.test(line))
    throw new BadImport(where, "the encrypted file is damaged");
  return Buffer.from(line, "base64");
}
