/** A line that says what it is without the lines around it. */
export type PlainLine =
  | { readonly type: "blank" | "text" | "comment" }
  | { readonly type: "heading"; readonly depth: number; readonly content: string }
  | { readonly type: "item"; readonly indent: number; readonly marker: string; readonly content: string };

/** More than this is left to the parser, which knows what a document may have. */
const most = { characters: 65_536, lines: 1000 };

const heading = /^(#{1,6}) +([^\s#](?:.*[^\s#])?) *$/;
const comment = /^<!-- (?:(?!-->).)* -->$/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)]) (\S.*)$/;
const text = /^ {0,3}(\S.*)$/;

/** What begins so is HTML, a quotation, a heading, a fence, an item, an underline or a rule, or may be. */
const beginnings = /^(?:[<>#]|`{3}|~{3}|(?:[-+*]|\d{1,9}[.)])(?: |$)|(?:=+|-+) *$|([-*_])(?: *\1){2,} *$)/;

/**
 * Returns the lines of a Markdown text in which each says what it is, as most do that Carryon writes; undefined for any
 * other text, which only the parser can tell of: it takes a hundred times as long in a process that has just begun.
 *
 * No line is indented by four or more, so that none is code, in whatever list it stands.
 */
export function readPlainLines(body: string): readonly PlainLine[] | undefined {
  if (body.length > most.characters || /[\t\r\0]|^\uFEFF/.test(body)) return undefined;
  const lines = body.split("\n");
  // Nothing follows the last line end.
  if (lines.at(-1) === "") lines.pop();
  if (lines.length > most.lines) return undefined;
  const found: PlainLine[] = [];
  for (const line of lines) {
    const plain = toPlainLine(line);
    if (plain === undefined) return undefined;
    found.push(plain);
  }
  return found;
}

function toPlainLine(line: string): PlainLine | undefined {
  if (/^ *$/.test(line)) return { type: "blank" };
  if (comment.test(line)) return { type: "comment" };
  return toHeading(line) ?? (item.test(line) ? toItem(line) : toText(line));
}

function toHeading(line: string): PlainLine | undefined {
  const [, signs, content] = heading.exec(line) ?? [];
  return signs === undefined || content === undefined
    ? undefined
    : { type: "heading", depth: signs.length, content };
}

function toItem(line: string): PlainLine | undefined {
  const [, indent = "", marker = "", content = ""] = item.exec(line) ?? [];
  return beginnings.test(content) ? undefined : { type: "item", indent: indent.length, marker, content };
}

function toText(line: string): PlainLine | undefined {
  const [, words] = text.exec(line) ?? [];
  return words === undefined || beginnings.test(words) ? undefined : { type: "text" };
}
