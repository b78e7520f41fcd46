/** How much of a long value is looked at; the rest is like it. */
const looked = 96;

/** In which count a character was last seen: nothing is made or emptied for a count. */
const lastSeen = new Uint32Array(128);
let counts = 0;

/** Returns how many different characters a value has; those beyond ASCII are taken for others now and then. */
export function countDistinct(value: string): number {
  counts = (counts + 1) >>> 0;
  let distinct = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index) & 0x7f;
    if (lastSeen[code] === counts) continue;
    lastSeen[code] = counts;
    distinct += 1;
  }
  return distinct;
}

const filling = /x{6}|0{8}|\*{3}|\.{3}|placeholder|[-_]your|your[-_]?(?:api|key|token|secret|own)/i;

/** How the keys of a vendor's own documents end. */
const documented = /[A-Z0-9]EXAMPLE(?:KEY)?$/;

/** Tells a token from the filling of an example: `ghp_xxxxxxxx`, `sk-your-key-here`. */
export function hasVariety(secret: string): boolean {
  const start = secret.slice(0, looked);
  return (
    countDistinct(start) >= Math.min(8, start.length / 2) && !filling.test(start) && !documented.test(start)
  );
}

/** Tells a token from words and identifiers that begin like it; its prefix speaks for it, so that little is asked. */
export function isTokenLike(secret: string): boolean {
  const { averageLength, numbers } = readRuns(secret);
  return hasVariety(secret) && /[A-Z0-9]/.test(secret) && (averageLength < 4.2 || numbers >= 2);
}

/** Tells a token with a telling prefix from a name that begins with it. */
export function isNoName(secret: string): boolean {
  return hasVariety(secret) && !isJoinedWords(secret);
}

/** Tells whether a value is a name made of words: `sk-my-project`, `AGE-SECRET-KEY-1`. */
export function isJoinedWords(value: string): boolean {
  const words = value.slice(0, looked).split(/[-_.]/);
  return words.length > 1 && words.every((word) => joinedWord.test(word));
}

const joinedWord = /^(?:[A-Z]{0,20}|[A-Z]?[a-z]{1,20}|[A-Z]?[0-9]{1,2})$/;

/** Tells characters drawn by chance from words and identifiers: in these, letters of one case and digits keep together. */
export function isRandom(value: string): boolean {
  const { averageLength, numbers } = readRuns(value);
  // The longer a value, the less it strays from what chance makes on average.
  return averageLength < (value.length < 16 ? 3 : 3.6) || numbers >= (value.length < 20 ? 3 : 2);
}

/** Tells whether a value is too wild for a name that somebody gave. */
export function isWild(value: string): boolean {
  return readRuns(value).averageLength < 2.5;
}

const runs = /[A-Z]?[a-z]{1,96}|[A-Z]{1,96}|[0-9]{1,96}/g;

/** Splits a value as an identifier is split into words. */
function readRuns(value: string): { readonly averageLength: number; readonly numbers: number } {
  const found = value.slice(0, looked).match(runs) ?? [];
  const characters = found.reduce((sum, run) => sum + run.length, 0);
  return {
    averageLength: characters / found.length,
    numbers: found.filter((run) => run.charCodeAt(0) < 0x3a).length,
  };
}

/** Tells whether a value has characters of at least two of: small letters, capital letters, digits. */
export function isMixed(value: string): boolean {
  const start = value.slice(0, looked);
  return [/[a-z]/, /[A-Z]/, /[0-9]/].filter((each) => each.test(start)).length >= 2;
}
