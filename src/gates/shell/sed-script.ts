/** What a script of sed does beyond printing. */
export type SedEffect =
  | { readonly type: "writes"; readonly file: string }
  | { readonly type: "runs" }
  /** The script was not understood. */
  | { readonly type: "lost" };

/** A text and the place up to which it has been read. */
interface Cursor {
  readonly text: string;
  at: number;
}

const peek = ({ text, at }: Cursor): string => text.charAt(at);

/** Longer scripts are not looked at. */
const longest = 10_000;

/** Returns what the commands of a sed script write and run, in order. */
export function sedEffects(script: string): readonly SedEffect[] {
  if (script.length > longest) return [{ type: "lost" }];
  const cursor: Cursor = { text: script, at: 0 };
  const effects: SedEffect[] = [];
  while (cursor.at < script.length) {
    skip(cursor, /[\s;{}]/);
    if (cursor.at >= script.length) break;
    const effect = readAddresses(cursor) ? readCommand(cursor) : "lost";
    if (effect === "lost") return [...effects, { type: "lost" }];
    if (effect !== undefined) effects.push(effect);
  }
  return effects;
}

function skip(cursor: Cursor, characters: RegExp): void {
  while (cursor.at < cursor.text.length && characters.test(peek(cursor))) cursor.at += 1;
}

function readAddresses(cursor: Cursor): boolean {
  do {
    skip(cursor, /[\s,+~!]/);
    const first = peek(cursor);
    if (first === "\\") cursor.at += 1;
    if (first === "/" || first === "\\") {
      if (!skipPattern(cursor)) return false;
      skip(cursor, /[IM]/);
    } else skip(cursor, /[\d$]/);
    skip(cursor, /\s/);
  } while (/[,~+]/.test(peek(cursor)));
  skip(cursor, /[\s!]/);
  return true;
}

const set = /\[\^?\]?(?:\[:\w{1,20}:\]|[^\]\n])*\]/y;

/** Skips a pattern between two delimiters, and tells whether the second one is there. */
function skipPattern(cursor: Cursor): boolean {
  return skipDelimited(cursor, ({ text, at }) => {
    set.lastIndex = at;
    // Inside brackets a delimiter is a character like others.
    return set.exec(text)?.[0].length ?? 1;
  });
}

const skipPlain = (cursor: Cursor): boolean => skipDelimited(cursor, () => 1);

/** Skips a replacement, in which brackets mean nothing; it begins where the pattern ended. */
function skipReplacement(cursor: Cursor): boolean {
  cursor.at -= 1;
  return skipPlain(cursor);
}

function skipDelimited(cursor: Cursor, lengthOfBracket: (cursor: Cursor) => number): boolean {
  const end = peek(cursor);
  cursor.at += 1;
  while (cursor.at < cursor.text.length) {
    const character = peek(cursor);
    if (character === end) {
      cursor.at += 1;
      return true;
    }
    if (character === "\\") cursor.at += 2;
    else cursor.at += character === "[" ? lengthOfBracket(cursor) : 1;
  }
  return false;
}

function readCommand(cursor: Cursor): SedEffect | "lost" | undefined {
  const command = peek(cursor);
  cursor.at += 1;
  if (/[wW]/.test(command)) return { type: "writes", file: restOfLine(cursor).trim() };
  if (command === "e") return { type: "runs" };
  if (command === "s") return readSubstitution(cursor);
  if (command === "y") return skipPlain(cursor) && skipReplacement(cursor) ? undefined : "lost";
  return skipArgument(cursor, command) ? undefined : "lost";
}

/** Skips what belongs to a command that only prints or goes on, and tells whether it is one. */
function skipArgument(cursor: Cursor, command: string): boolean {
  if (/[aic]/.test(command)) skipText(cursor);
  else if (/[rR#]/.test(command)) restOfLine(cursor);
  else if (/[:vbTtlqQL]/.test(command)) {
    skip(cursor, /[ \t]/);
    skip(cursor, /[^;}\s]/);
  } else return /^[=dDgGhHnNpPxzF{};\s]?$/.test(command);
  return true;
}

function readSubstitution(cursor: Cursor): SedEffect | "lost" | undefined {
  if (!skipPattern(cursor) || !skipReplacement(cursor)) return "lost";
  while (/[gpiImMe\d]/.test(peek(cursor))) {
    if (peek(cursor) === "e") return { type: "runs" };
    cursor.at += 1;
  }
  if (peek(cursor) !== "w") return undefined;
  cursor.at += 1;
  return { type: "writes", file: restOfLine(cursor).trim() };
}

function restOfLine(cursor: Cursor): string {
  const end = cursor.text.indexOf("\n", cursor.at);
  const rest = cursor.text.slice(cursor.at, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.text.length : end;
  return rest;
}

/** Skips a text that goes on in the next line where the line ends with a backslash, itself not escaped. */
function skipText(cursor: Cursor): void {
  const goesOn = (line: string): boolean => (/\\*$/.exec(line)?.[0].length ?? 0) % 2 === 1;
  while (goesOn(restOfLine(cursor)) && cursor.at < cursor.text.length) cursor.at += 1;
}
