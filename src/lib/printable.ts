const raw = String.raw;

/** Format characters that have a shape of their own: the number and verse signs of Arabic and Kaithi. */
const shapedFormat = raw`\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}`;

/** Every character that moves the cursor, starts an escape sequence, turns the reading direction or has no shape. */
const hidden = raw`(?![\n\t${shapedFormat}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

const virama = raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
const indicLetter = raw`(?=[\u0900-\u0DFF])\p{L}`;
const arabicLetter = raw`(?=\p{Script=Arabic})\p{L}`;
const emoji = raw`\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]\p{Emoji_Modifier}?|\p{Emoji_Modifier})?`;

/** Where such characters are part of a visible glyph. Each form is bounded, so that none can carry a hidden text. */
const legitimate = [
  // The flags of England, Scotland and Wales, the only ones that are written with tag characters.
  raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
  // An emoji, or up to four of them joined to one, such as a family.
  raw`${emoji}(?:\u200D${emoji}){0,3}`,
  raw`[0-9#*]\uFE0F\u20E3`,
  raw`\p{Ideographic}[\uFE00-\uFE02]`,
  raw`(?=\p{Script=Mongolian})\p{L}[\u180B-\u180D\u180F]`,
  // Joiners that decide how letters connect: Persian and its neighbours, and the scripts of India.
  raw`${arabicLetter}[\u064B-\u065F\u0670]{0,4}\u200C(?=${arabicLetter})`,
  raw`${virama}[\u200C\u200D]`,
  raw`${indicLetter}\u200D(?=${virama})`,
].join("|");

const anyHidden = new RegExp(hidden, "u");
const legitimateOrHidden = new RegExp(`(${legitimate})|${hidden}`, "gu");

/**
 * Makes the dangerous characters of a recorded text visible, so that it can go to a terminal.
 *
 * Control characters become `^[` and the like, as `cat -v` and Git show them; anything else without a shape becomes `<U+202E>`.
 * Newlines and tabs stay, and CR LF becomes a newline. Printing twice is printing once. The cost is linear.
 * Colours are added afterwards: those that a text brings along are made visible too.
 */
export function toPrintable(text: string): string {
  if (!anyHidden.test(text)) return text;
  return text
    .replaceAll("\r\n", "\n")
    .replace(legitimateOrHidden, (found, kept: string | undefined) => kept ?? describeCharacter(found));
}

/** Makes a recorded text printable on one line, for titles and table cells: a line break or tab becomes one space. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replace(/[\n\t][\n\t ]*/g, " ");
}

function describeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Caret notation flips bit 6: ESC (0x1B) is `^[` (0x5B), DEL (0x7F) is `^?` (0x3F).
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
