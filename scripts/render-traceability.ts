import { globSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/** A comment in a test file that names the criteria of a seed which the test below it holds. */
export interface Annotation {
  /** The path below `test/`, without its ending. */
  readonly file: string;
  readonly seed: number;
  readonly criteria: readonly string[];
  /** Whether a test begins below it, with nothing but such comments between. */
  readonly isAboveTest: boolean;
}

/** A row of the page: a criterion of a seed. */
export interface Criterion {
  readonly seed: number;
  readonly id: string;
}

const comment = /^\s*\/\/ Seed (\d): (.+)$/;
const heading = /^## Seed (\d)\b/;
const row = /^(\| ((?:\d+|E)\.\d+) \|.*(?<!\\)\|)[^|]*\|$/;

/** Returns docs/traceability.md with the test files of each criterion in its last column. */
export async function renderTraceability(): Promise<string> {
  const annotations = readAnnotations();
  const page = readFileSync(new URL("docs/traceability.md", root), "utf8");
  return mapRows(page, ({ seed, id }, begin) => {
    const holders = annotations.filter((each) => each.seed === seed && each.criteria.includes(id));
    const files = new Set(holders.map(({ file }) => file));
    return `${begin} ${[...files].join(", ")} |`;
  });
}

/** Returns the criteria that a page lists, in its order. */
export function listCriteria(page: string): readonly Criterion[] {
  const criteria: Criterion[] = [];
  mapRows(page, (criterion, begin) => {
    criteria.push(criterion);
    return begin;
  });
  return criteria;
}

/** Replaces the rows of a page; `begin` is a row up to its last column. */
function mapRows(page: string, replace: (criterion: Criterion, begin: string) => string): string {
  let seed = Number.NaN;
  const lines = page.split("\n").map((line) => {
    seed = Number(heading.exec(line)?.[1] ?? seed);
    const [, begin, id] = row.exec(line) ?? [];
    return begin === undefined || id === undefined ? line : replace({ seed, id }, begin);
  });
  return lines.join("\n");
}

/** Returns the annotations of all test files. */
export function readAnnotations(): readonly Annotation[] {
  const paths = globSync("test/**/*.test.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return paths.sort().flatMap((path) => {
    const text = readFileSync(new URL(path, root), "utf8");
    return findAnnotations(path.replace(/^test\/|\.test\.ts$/g, ""), text);
  });
}

/** Returns the annotations of a test file. */
export function findAnnotations(file: string, text: string): readonly Annotation[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const [, seed, criteria] = comment.exec(line) ?? [];
    if (seed === undefined || criteria === undefined) return [];
    const below = lines.slice(index + 1).find((each) => !comment.test(each)) ?? "";
    const isAboveTest = /^\s*it(?:\.\w+)?\(/.test(below);
    return [{ file, seed: Number(seed), criteria: criteria.split(", "), isAboveTest }];
  });
}
