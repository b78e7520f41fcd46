/** Draws whole numbers from 0 up to a limit. */
export type Random = (below: number) => number;

/** Makes a source of chance that gives the same numbers in every run (mulberry32). */
export function makeRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const digits = "0123456789";
const small = "abcdefghijklmnopqrstuvwxyz";
const capital = small.toUpperCase();

const alphabets: Readonly<Record<string, string>> = {
  hex: `${digits}abcdef`,
  number: digits,
  letter: small + capital,
  low: small + digits,
  up: capital + digits,
  base32: `${capital}234567`,
  base62: small + capital + digits,
  base64: `${small + capital + digits}+/`,
  url: `${small + capital + digits}_-`,
  crypt: `${small + capital + digits}./`,
};

/** A made-up secret: all of it, and the parts of it that chance made. */
export interface Fake {
  readonly text: string;
  readonly drawn: readonly string[];
}

/** Makes a secret from a form such as `ghp_<base62:36>`: no file of this repository holds anything that looks like one. */
export function drawFake(form: string, random: Random): Fake {
  const drawn: string[] = [];
  const text = form.replace(/<(\w+):(\d+)>/g, (_, name: string, length: string) => {
    const part = draw(name, Number(length), random);
    drawn.push(part);
    return part;
  });
  return { text, drawn };
}

function draw(name: string, length: number, random: Random): string {
  const alphabet = alphabets[name] ?? "";
  return Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
}

/** Returns the pieces of eight characters that chance made and that a text still holds. */
export function piecesLeft(fake: Fake, text: string): readonly string[] {
  return fake.drawn.flatMap((part) => windows(part, 8)).filter((piece) => text.includes(piece));
}

function windows(part: string, size: number): readonly string[] {
  if (part.length < size) return [];
  return Array.from({ length: part.length - size + 1 }, (_, start) => part.slice(start, start + size));
}
