import type { GitPath } from "../../git/git-path.ts";
import { isDeeperThan, parseIfJson } from "../../lib/json.ts";
import { asRecord } from "../json-object.ts";
import type { PassSource } from "../pass.ts";
import type { Moment } from "./file-clock.ts";

/** What the disk says of a file: its size, the times of its content and of itself, and its number; null for none. */
export type Stamp = string | null;

/** What a work tree was like, as far as it differed from its commit. */
export interface MarkedTree {
  /** Null before the first commit. */
  readonly head: string | null;
  /** The files that differed from the commit, each with its stamp; of very many, the first. */
  readonly files: ReadonlyMap<GitPath, Stamp>;
  /** The repositories inside: submodules that have changed, and those that git does not track. */
  readonly inner: ReadonlyMap<GitPath, MarkedTree>;
}

/** What a work tree was like at a moment. */
export interface TreeMark extends Moment {
  readonly tree: MarkedTree;
  /** What else a verdict on writes rests on. */
  readonly grounds: readonly LookedAt[];
}

const version = 2;

/** How many files a mark lists, and how large and deep one may be that is read. */
export const mostFiles = 20_000;
export const largestMark = 32 * 1024 * 1024;
const deepest = 32;

/** Returns the text of a mark. */
export function renderTreeMark({ at, up, tree, grounds }: TreeMark): string {
  return JSON.stringify({ version, at: String(at), up: String(up), tree: toWire(tree), grounds });
}

function toWire({ head, files, inner }: MarkedTree): unknown {
  return { head, dirty: [...files], inner: [...inner].map(([path, tree]) => [path, toWire(tree)]) };
}

/** Reads the text of a mark; undefined for what is none. */
export function parseTreeMark(text: string): TreeMark | undefined {
  if (text.length > largestMark) return undefined;
  const value = asRecord(parseIfJson(text));
  if (value.version !== version || isDeeperThan(value, deepest)) return undefined;
  const [at, up, tree] = [toTime(value.at), toTime(value.up), fromWire(value.tree)];
  const { grounds } = value;
  if (at === undefined || up === undefined || tree === undefined || !isGrounds(grounds)) return undefined;
  return { at, up, tree, grounds };
}

function isGrounds(value: unknown): value is readonly LookedAt[] {
  return Array.isArray(value) && value.every(isGround);
}

function isGround(value: unknown): value is LookedAt {
  const { kind, path, was } = asRecord(value);
  const isKind = typeof kind === "string" && /^(?:file|linked|folder|settings|programs)$/.test(kind);
  return isKind && typeof path === "string" && (was === null || typeof was === "string");
}

function fromWire(value: unknown): MarkedTree | undefined {
  const { head, dirty, inner } = asRecord(value);
  const files = toMap(dirty, (stamp) => (stamp === null || typeof stamp === "string" ? stamp : undefined));
  const trees = toMap(inner, fromWire);
  if (files === undefined || files.size > mostFiles) return undefined;
  if (trees === undefined || !(head === null || isHash(head))) return undefined;
  return { head, files, inner: trees };
}

function toMap<Value>(
  value: unknown,
  parse: (value: unknown) => Value | undefined,
): ReadonlyMap<GitPath, Value> | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = new Map<GitPath, Value>();
  for (const pair of value as readonly unknown[]) {
    const [path, inside] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    const parsed = parse(inside);
    if (typeof path !== "string" || parsed === undefined) return undefined;
    entries.set(path as GitPath, parsed);
  }
  return entries;
}

function toTime(value: unknown): bigint | undefined {
  return typeof value === "string" && /^\d{1,25}$/.test(value) ? BigInt(value) : undefined;
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value);
}

/** How something is looked at: as a pass does, as settings of git, or as a folder of programs that git runs by itself. */
export type GroundKind = PassSource["kind"] | "settings" | "programs";

/** Something that a verdict on writes rests on, beside the work tree itself. */
export interface Ground {
  readonly kind: GroundKind;
  readonly path: string;
}

/** How it was; null where nothing was there. */
export interface LookedAt extends Ground {
  readonly was: string | null;
}
