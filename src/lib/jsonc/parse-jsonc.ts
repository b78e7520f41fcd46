import { type AppError, configError } from "../app-error.ts";

/** A value in a text of JSON with comments, and where it stands: from its first character to the one behind its last. */
export interface JsoncNode {
  readonly start: number;
  readonly end: number;
  readonly type: "object" | "array" | "scalar";
  /** What is in an object or array, in order. */
  readonly children: readonly JsoncChild[];
  /** What a scalar is; an object or array has undefined. */
  readonly value: unknown;
}

/** One member of an object or one element of an array. */
export interface JsoncChild {
  /** Where it begins: at its key, in an object. */
  readonly start: number;
  /** The key in an object; undefined in an array. */
  readonly key: string | undefined;
  readonly node: JsoncNode;
  /** Where the comma behind it is, if there is one. */
  readonly comma: number | undefined;
}

/** Says that a text is not JSON, and at which line. */
function badJsonc(text: string, at: number): AppError {
  const line = text.slice(0, at).split("\n").length;
  return configError("bad-json", `Line ${line} is not JSON.`);
}

const maxDepth = 200;
const blank = /(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const scalar = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

/** Parses JSON with comments and commas at the end of lists; throws where it is none. */
export function parseJsonc(text: string): JsoncNode {
  const parser = new Parser(text);
  return parser.parse();
}

class Parser {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  parse(): JsoncNode {
    this.#skipBlank();
    const node = this.#readValue(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#failure();
    return node;
  }

  #readValue(depth: number): JsoncNode {
    if (depth > maxDepth) throw this.#failure();
    if (this.#text[this.#at] === "{") return this.#readList("object", "}", depth);
    if (this.#text[this.#at] === "[") return this.#readList("array", "]", depth);
    const start = this.#at;
    return { start, type: "scalar", children: [], value: this.#readScalar(), end: this.#at };
  }

  #readList(type: "object" | "array", closing: string, depth: number): JsoncNode {
    const start = this.#at;
    const children: JsoncChild[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipBlank();
      if (this.#text[this.#at] === closing) break;
      if (children.length > 0 && children.at(-1)?.comma === undefined) throw this.#failure();
      children.push(this.#readChild(type, depth));
    }
    this.#at += 1;
    return { start, end: this.#at, type, children, value: undefined };
  }

  #readChild(type: "object" | "array", depth: number): JsoncChild {
    const start = this.#at;
    const key = type === "object" ? this.#readKey() : undefined;
    const node = this.#readValue(depth + 1);
    this.#skipBlank();
    const comma = this.#text[this.#at] === "," ? this.#at : undefined;
    if (comma !== undefined) this.#at += 1;
    return { start, key, node, comma };
  }

  #readKey(): string {
    if (this.#text[this.#at] !== '"') throw this.#failure();
    const key = String(this.#readScalar());
    this.#skipBlank();
    if (this.#text[this.#at] !== ":") throw this.#failure();
    this.#at += 1;
    this.#skipBlank();
    return key;
  }

  #readScalar(): unknown {
    scalar.lastIndex = this.#at;
    const [found] = scalar.exec(this.#text) ?? [];
    if (found === undefined) throw this.#failure();
    try {
      const value: unknown = JSON.parse(found);
      this.#at += found.length;
      return value;
    } catch {
      throw this.#failure();
    }
  }

  #skipBlank(): void {
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)?.[0].length ?? 0;
  }

  #failure(): AppError {
    return badJsonc(this.#text, this.#at);
  }
}

/** Returns the plain value of a node. */
export function toValue(node: JsoncNode): unknown {
  if (node.type === "scalar") return node.value;
  if (node.type === "array") return node.children.map((child) => toValue(child.node));
  return Object.fromEntries(node.children.map((child) => [child.key ?? "", toValue(child.node)]));
}

/** Returns the member of an object that counts: of several with one key, the last. */
export function findMember(node: JsoncNode, key: string): JsoncChild | undefined {
  return node.type === "object" ? node.children.findLast((child) => child.key === key) : undefined;
}
