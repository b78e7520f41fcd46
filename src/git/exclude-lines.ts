/** Returns those lines that a list of what git leaves out does not have. */
export function findMissing(list: Buffer | undefined, lines: readonly string[]): readonly string[] {
  const known = new Set(toBytes(list).split(/\r?\n/));
  return lines.filter((line) => !known.has(Buffer.from(line).toString("latin1")));
}

/** Returns what has to be added to a list, so that it holds more lines; they end as its others do. */
export function renderAdded(list: Buffer | undefined, lines: readonly string[]): string {
  const text = toBytes(list);
  const end = /\r\n[^\n]*$/.test(text) ? "\r\n" : "\n";
  const first = text === "" || text.endsWith("\n") ? "" : end;
  return `${first}${lines.map((line) => `${line}${end}`).join("")}`;
}

/** Returns a list without what was added to it; undefined where that is not in it any more. */
export function takeOut(list: Buffer, added: string): Buffer | undefined {
  const wanted = Buffer.from(added);
  const at = findAtLineStart(list, wanted);
  if (at === undefined) return undefined;
  const rest = list.subarray(at + wanted.length);
  // The line before has no end of its own, and others may have added theirs since.
  const end = rest.length === 0 ? "" : (/^\r?\n/.exec(added)?.[0] ?? "");
  return Buffer.concat([list.subarray(0, at), Buffer.from(end), rest]);
}

/** Returns the line for a path from the top of a repository; git takes some characters for more than that. */
export function toPattern(path: string): string {
  return `/${path.replaceAll("\\", "/").replace(/[*?[\] ]/g, "\\$&")}`;
}

/** Git gives a list no encoding: each character of the text is one byte. */
function toBytes(list: Buffer | undefined): string {
  return list?.toString("latin1") ?? "";
}

/** Returns where bytes stand last that begin a line; another line may end like them. */
function findAtLineStart(list: Buffer, wanted: Buffer): number | undefined {
  const endsLine = /^\r?\n/.test(wanted.toString("latin1"));
  for (let at = list.lastIndexOf(wanted); at !== -1; at = at === 0 ? -1 : list.lastIndexOf(wanted, at - 1))
    if (at === 0 || endsLine || list[at - 1] === 0x0a) return at;
  return undefined;
}
