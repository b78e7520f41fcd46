import { BadImport } from "../bad-import.ts";
import { lineName } from "../source.ts";

/** A value of Lisp, as far as an export has them. */
export type Sexp =
  | { readonly type: "list"; readonly items: readonly Sexp[]; readonly line: number }
  | { readonly type: "string"; readonly text: string; readonly line: number }
  /** In lower case; the reader of Lisp knows no case. */
  | { readonly type: "symbol"; readonly name: string; readonly line: number }
  | { readonly type: "number"; readonly value: number; readonly line: number };

/** Deeper lists are refused; an entry of 64 levels needs two for each. */
const maxDepth = 200;

const integer = /^[+-]?\d+\.?$/;
const float = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[defsl][+-]?\d+)?$/i;
const blank = /[\s]/;
const delimiter = /[\s()"';`,]/;

/** Reads the one form of a text as a Lisp reader would that evaluates nothing; throws `BadImport` with the line. */
export function parseSexp(text: string): Sexp {
  const reader = new Reader(text);
  const form = reader.read(0);
  reader.expectEnd();
  return form;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth: number): Sexp {
    this.#skipBlank();
    const line = this.#line;
    const character = this.#text[this.#at];
    if (character === undefined) throw this.#bad("the text was cut off");
    if (character === "(") return this.#readList(depth, line);
    if (character === '"') return this.#readString(line);
    if (/[)'`,#|]/.test(character)) throw this.#bad(`${JSON.stringify(character)} cannot stand here`);
    return this.#readAtom(line);
  }

  expectEnd(): void {
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#bad("something follows the session");
  }

  #readList(depth: number, line: number): Sexp {
    if (depth >= maxDepth) throw this.#bad(`it is nested deeper than ${maxDepth} levels`);
    this.#at += 1;
    const items: Sexp[] = [];
    for (;;) {
      this.#skipBlank();
      if (this.#text[this.#at] === ")") break;
      items.push(this.read(depth + 1));
    }
    this.#at += 1;
    return { type: "list", items, line };
  }

  /** Copies whole stretches between backslashes, so that a long string costs no more than its length. */
  #readString(line: number): Sexp {
    const pieces: string[] = [];
    let from = this.#at + 1;
    for (;;) {
      const end = this.#find(/["\\]/g, from);
      if (end === -1) throw this.#bad("a string was cut off");
      pieces.push(this.#text.slice(from, end));
      if (this.#text[end] === '"') {
        this.#advance(end + 1);
        return { type: "string", text: pieces.join(""), line };
      }
      if (end + 1 >= this.#text.length) throw this.#bad("a string was cut off");
      const [escaped = ""] = this.#text.slice(end + 1, end + 3);
      pieces.push(escaped);
      from = end + 1 + escaped.length;
    }
  }

  #readAtom(line: number): Sexp {
    const end = this.#find(new RegExp(delimiter, "g"), this.#at);
    const text = this.#text.slice(this.#at, end === -1 ? this.#text.length : end);
    if (text.length > 400) throw this.#bad("a word is too long");
    if (/[|\\#]/.test(text)) throw this.#bad("a word has a character that is not read");
    this.#advance(this.#at + text.length);
    if (integer.test(text)) return { type: "number", value: Number.parseInt(text, 10), line };
    if (float.test(text)) return { type: "number", value: Number(text.replace(/[defsl]/i, "e")), line };
    return { type: "symbol", name: text.toLowerCase(), line };
  }

  #skipBlank(): void {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === ";") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#advance(end === -1 ? this.#text.length : end);
      } else if (character !== undefined && blank.test(character)) this.#advance(this.#at + 1);
      else return;
    }
  }

  #find(what: RegExp, from: number): number {
    what.lastIndex = from;
    return what.exec(this.#text)?.index ?? -1;
  }

  #advance(to: number): void {
    for (let at = this.#at; at < to; at += 1) if (this.#text.charCodeAt(at) === 0x0a) this.#line += 1;
    this.#at = to;
  }

  #bad(reason: string): BadImport {
    return new BadImport(lineName(this.#line), reason);
  }
}
