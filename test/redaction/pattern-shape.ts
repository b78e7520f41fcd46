/** A part of a pattern: one character, a group of alternatives, or a place between characters. */
type Atom =
  | { readonly type: "character"; readonly source: string }
  | { readonly type: "group"; readonly alternatives: readonly Sequence[] }
  | { readonly type: "place" };

interface Element {
  readonly atom: Atom;
  readonly least: number;
  readonly most: number;
}

type Sequence = readonly Element[];

/**
 * Returns what could make a pattern slow: quantifiers without a limit, back-references, repeated groups that repeat
 * or are ambiguous inside, and repetitions beside each other that can take the same characters.
 */
export function findDangers(pattern: RegExp): readonly string[] {
  const parser = new Parser(pattern.source);
  const alternatives = parser.parse();
  const flags = pattern.ignoreCase ? "i" : "";
  return [...parser.dangers, ...alternatives.flatMap((sequence) => dangersOf(sequence, flags))];
}

class Parser {
  readonly dangers: string[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): readonly Sequence[] {
    const alternatives = this.#alternatives();
    if (this.#at < this.#source.length) throw new SyntaxError(`Cannot read ${this.#source} at ${this.#at}.`);
    return alternatives;
  }

  #alternatives(): readonly Sequence[] {
    const alternatives: Sequence[] = [];
    do alternatives.push(this.#sequence());
    while (this.#take(/\|/y) !== undefined);
    return alternatives;
  }

  #sequence(): Sequence {
    const elements: Element[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? "")) {
      const atom = this.#atom();
      elements.push({ atom, ...this.#quantifier() });
    }
    return elements;
  }

  #atom(): Atom {
    if (this.#take(/\(/y) !== undefined) return this.#group();
    if (this.#take(/[\^$]|\\b|\\B/y) !== undefined) return { type: "place" };
    const reference = this.#take(/\\[1-9]|\\k<\w+>/y);
    if (reference !== undefined) this.dangers.push(`the back-reference ${reference}`);
    const source =
      reference ?? this.#take(/\[(?:[^\]\\]|\\.)*\]|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|p\{\w+\}|.)|[^|)]/y);
    if (source === undefined) throw new SyntaxError(`Cannot read ${this.#source} at ${this.#at}.`);
    return { type: "character", source };
  }

  #group(): Atom {
    const kind = this.#take(/\?(?::|=|!|<=|<!|<\w+>)/y);
    const alternatives = this.#alternatives();
    if (this.#take(/\)/y) === undefined) throw new SyntaxError(`A group of ${this.#source} does not end.`);
    // What a look-around reads is read again by what follows it: it stands for itself.
    if (kind === undefined || !/[=!]/.test(kind)) return { type: "group", alternatives };
    this.dangers.push(...alternatives.flatMap((sequence) => dangersOf(sequence, "i")));
    return { type: "place" };
  }

  #quantifier(): { readonly least: number; readonly most: number } {
    const found = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (found === undefined) return { least: 1, most: 1 };
    if (found.startsWith("?")) return { least: 0, most: 1 };
    const [, least, comma, most] = /\{(\d+)(,?)(\d*)\}/.exec(found) ?? [];
    if (least === undefined || (comma !== "" && most === "")) this.dangers.push(`${found} without a limit`);
    if (comma === "") return { least: Number(least), most: Number(least) };
    return { least: Number(least ?? 0), most: Number(most || Number.POSITIVE_INFINITY) };
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function dangersOf(sequence: Sequence, flags: string): readonly string[] {
  return sequence.flatMap((element, index) => {
    if (element.atom.type === "place") return [];
    if (element.atom.type === "group") return dangersOfGroup(element, element.atom.alternatives, flags);
    if (element.most === element.least) return [];
    const rival = findRival(element.atom.source, sequence.slice(index + 1), flags);
    return rival === undefined ? [] : [`${element.atom.source} beside ${rival}`];
  });
}

function dangersOfGroup(
  { most }: Element,
  alternatives: readonly Sequence[],
  flags: string,
): readonly string[] {
  const inner = alternatives.flatMap((sequence) => dangersOf(sequence, flags));
  if (most <= 1) return inner;
  const repeated = alternatives.flat().some((element) => element.most !== element.least);
  const firsts = alternatives.flatMap(([first]) =>
    first?.atom.type === "character" ? [first.atom.source] : [],
  );
  const isAmbiguous = firsts.some((one, index) =>
    firsts.slice(index + 1).some((other) => overlap(one, other, flags)),
  );
  return [
    ...inner,
    ...(repeated ? ["a repetition inside a repeated group"] : []),
    ...(isAmbiguous ? ["alternatives of a repeated group that begin alike"] : []),
  ];
}

/** Returns the next repetition that could take what the class takes, if only such characters stand between them. */
function findRival(source: string, following: Sequence, flags: string): string | undefined {
  for (const { atom, least, most } of following) {
    if (atom.type === "place") continue;
    if (atom.type === "group") return findRivalIn(source, atom.alternatives, flags);
    const overlaps = overlap(source, atom.source, flags);
    if (overlaps && most > least && most > 1) return atom.source;
    if (!overlaps && least > 0) return undefined;
  }
  return undefined;
}

function findRivalIn(source: string, alternatives: readonly Sequence[], flags: string): string | undefined {
  return alternatives
    .map((sequence) => findRival(source, sequence, flags))
    .find((rival) => rival !== undefined);
}

function overlap(one: string, other: string, flags: string): boolean {
  const [first, second] = [one, other].map((source) => new RegExp(`^${source}$`, `${flags}u`));
  return Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).some(
    (character) => first?.test(character) && second?.test(character),
  );
}
