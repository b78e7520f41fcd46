import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { check } from "./broken-transcripts.ts";
import { fixture, fixtures, sessionOf } from "./claude-transcripts.ts";
import { type Carryon, openCarryon } from "./run-carryon.ts";

/** Returns numbers from 0 up to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Mutation = (bytes: Buffer, pick: (below: number) => number) => Buffer;

const lines = (change: (lines: string[], pick: (below: number) => number) => void): Mutation => {
  return (bytes, pick) => {
    const texts = bytes.toString("latin1").split("\n");
    change(texts, pick);
    return Buffer.from(texts.join("\n"), "latin1");
  };
};

const insert =
  (text: string): Mutation =>
  (bytes, pick) => {
    const at = pick(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
  };

/** What crashes, disks and other programs do to files. */
export const mutations: Readonly<Record<string, Mutation>> = {
  cut: (bytes, pick) => bytes.subarray(0, pick(bytes.length)),
  "cut, then written on": (bytes, pick) =>
    Buffer.concat([bytes.subarray(0, pick(bytes.length)), bytes.subarray(pick(bytes.length))]),
  "NUL fill": (bytes, pick) => {
    const [from, size] = [pick(bytes.length), pick(6000)];
    return Buffer.from(bytes).fill(0, from, Math.min(bytes.length, from + size));
  },
  "NUL tail": (bytes, pick) => Buffer.concat([bytes, Buffer.alloc(1 + pick(4096))]),
  "bit flip": (bytes, pick) => {
    const [flipped, at] = [Buffer.from(bytes), pick(bytes.length)];
    if (flipped.length > 0) flipped.writeUInt8((flipped[at] ?? 0) ^ (1 << pick(8)), at);
    return flipped;
  },
  "U+2028": insert("\u2028"),
  newline: insert("\n"),
  "CR LF": insert("\r\n"),
  garbage: insert("\u0007{]"),
  "swapped lines": lines((texts, pick) => {
    const [one, other] = [pick(texts.length), pick(texts.length)];
    [texts[one], texts[other]] = [texts[other] ?? "", texts[one] ?? ""];
  }),
  "doubled line": lines((texts, pick) =>
    texts.splice(pick(texts.length), 0, texts[pick(texts.length)] ?? ""),
  ),
  "lost line": lines((texts, pick) => texts.splice(pick(texts.length), 1)),
  "lost lines": lines((texts, pick) => texts.splice(pick(texts.length), pick(8))),
  "joined lines": lines((texts, pick) => {
    const at = pick(texts.length);
    texts.splice(at, 2, `${texts[at] ?? ""}${texts[at + 1] ?? ""}`);
  }),
};

/** Returns the value of a line without its parent, which a repair may set; undefined for a line without one. */
export function contentOf(line: string): string | undefined {
  try {
    const { parentUuid: _, ...value } = JSON.parse(line);
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Damages recorded transcripts in so many ways, and expects that nothing crashes and no good line is lost; returns how often what was done. */
export async function mutateTranscripts(
  count: number,
  seed: number,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const note = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (let at = 0; at < count; at += 1) {
    const next = random(seed + at);
    const pick = (below: number) => Math.floor(next() * below);
    const fault = await mutateOne(pick, note).catch((error: unknown) => error);
    if (fault !== undefined) throw new Error(`Seed ${seed + at} failed.`, { cause: fault });
  }
  return counts;
}

async function mutateOne(pick: (below: number) => number, note: (name: string) => void): Promise<void> {
  await using carryon = await openCarryon();
  const name = fixtures[pick(fixtures.length)] ?? "";
  const rows = fixture(name);
  const session = sessionOf(rows);
  const cwd = await realpath(join(carryon.folder, "work"));
  const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${session}.jsonl`);
  const whole = rows.map((row) => JSON.stringify(row.cwd === undefined ? row : { ...row, cwd }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${whole.join("\n")}\n`);
  const isRecorded = pick(2) === 0;
  if (isRecorded) await carryon.ask(["sync"]);
  const before = isRecorded ? await entriesOf(carryon, session) : [];
  let broken: Buffer = await readFile(path);
  let isOutOfOrder = false;
  for (let left = 1 + pick(3); left > 0; left -= 1) {
    const names = Object.keys(mutations);
    const mutation = names[pick(names.length)] ?? "";
    note(mutation);
    isOutOfOrder ||= mutation === "swapped lines";
    broken = mutations[mutation]?.(broken, pick) ?? broken;
  }
  await writeFile(path, broken);
  if (pick(2) === 0) await sync(carryon);
  const { code } = await carryon.call(["resume", session, "--dry-run", "--json"]);
  expect([0, 2]).toContain(code);
  const { files } = JSON.parse(
    await carryon.ask(["repair", "--client", "claude-code", session, "--install", "--json"]),
  );
  note(files.length > 0 ? "repaired" : "not damaged");
  expect(
    JSON.parse(await carryon.ask(["repair", "--client", "claude-code", session, "--json"])).files,
  ).toEqual([]);
  if (isRecorded && !isOutOfOrder) await expectLoaded(carryon, session);
  const mended = await readFile(path, "utf8");
  expect(check(mended).faults).toEqual([]);
  const values = new Set(mended.split("\n").map(contentOf));
  const good = broken
    .toString("utf8")
    .split("\n")
    .filter((line) => whole.includes(line));
  expect(good.filter((line) => !values.has(contentOf(line)))).toEqual([]);
  await sync(carryon);
  expect((await sync(carryon)).added).toBe(0);
  const after = new Set(isRecorded ? (await entriesOf(carryon, session)).map(({ id }) => id) : []);
  expect(before.filter(({ id }) => !after.has(id))).toEqual([]);
}

async function expectLoaded(carryon: Carryon, session: string): Promise<void> {
  const { preflight } = JSON.parse(await carryon.ask(["resume", session, "--dry-run", "--json"]));
  expect(preflight.loaded).toBe(preflight.messages);
}

async function sync(carryon: Carryon): Promise<{ readonly added: number }> {
  const { failed, added } = JSON.parse(await carryon.ask(["sync", "--json"]));
  expect(failed).toEqual([]);
  return { added };
}

async function entriesOf(carryon: Carryon, id: string): Promise<readonly { readonly id: string }[]> {
  return JSON.parse(await carryon.ask(["show", id, "--json"])).entries;
}
