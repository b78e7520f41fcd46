import { randomBytes } from "node:crypto";

/** Where random bytes come from. It is passed in, so that tests can repeat them. */
export type RandomSource = (size: number) => Uint8Array;

export const systemRandom: RandomSource = (size) => randomBytes(size);

/** Returns a UUID of version 7: 48 bits of time in milliseconds, then 74 random bits. */
export function makeUuidV7(now: Date, random: RandomSource = systemRandom): string {
  const bytes = new Uint8Array(16);
  bytes.set(random(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now.getTime() / 2 ** 32));
  view.setUint32(2, now.getTime() % 2 ** 32);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Buffer.from(bytes).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
