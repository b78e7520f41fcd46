import { appendFile, rename, truncate, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ReadOptions,
  readTranscript,
  type TranscriptBatch,
  type TranscriptPosition,
} from "../../../src/clients/claude-code/read-transcript.ts";
import { type Absorbed, absorb } from "../../../src/clients/claude-code/to-entries.ts";
import { startTranscript, type TranscriptState } from "../../../src/clients/claude-code/transcript-state.ts";
import { anyTranscript, read, sessionOfClient } from "../../support/claude-transcripts.ts";
import { tempDir } from "../../support/temp-dir.ts";

const line = (uuid: string, text = "x") =>
  `${JSON.stringify({ type: "user", uuid, parentUuid: null, message: { content: text } })}\n`;

const readAll = (path: string, from?: TranscriptPosition, options?: ReadOptions) =>
  Array.fromAsync(readTranscript(path, from, options));

/** What batches hold, without the hashes and numbers of files. */
const brief = (batches: readonly TranscriptBatch[]) =>
  batches.map(({ isStart, rows, rejected, position }) => ({
    isStart,
    rows: rows.map((row) => (row.family === "chain" ? row.uuid : row.type)),
    rejected,
    offset: position.offset,
    lines: position.lines,
  }));

describe("reading a transcript", () => {
  it("goes on where it stopped, and gives nothing when nothing was added", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    await writeFile(path, line("u1"));
    const [first] = await readAll(path);
    expect(await readAll(path, first?.position)).toEqual([]);
    await appendFile(path, line("u2"));
    const size = line("u1").length;
    expect(
      brief([first, ...(await readAll(path, first?.position))].filter((each) => each !== undefined)),
    ).toEqual([
      { isStart: true, rows: ["u1"], rejected: [], offset: size, lines: 1 },
      { isStart: false, rows: ["u2"], rejected: [], offset: 2 * size, lines: 2 },
    ]);
  });

  it("leaves a last line that is not whole for the next time", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    const [half, rest] = [line("u2").slice(0, 20), line("u2").slice(20)];
    await writeFile(path, line("u1") + half);
    const [first] = await readAll(path);
    expect(first?.position.offset).toBe(line("u1").length);
    expect(await readAll(path, first?.position)).toEqual([]);
    await appendFile(path, rest);
    expect(brief(await readAll(path, first?.position))).toEqual([
      { isStart: false, rows: ["u2"], rejected: [], offset: 2 * line("u1").length, lines: 2 },
    ]);
  });

  it("takes a last line that only lacks its newline, once", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    await writeFile(path, line("u1").trimEnd());
    const [first] = await readAll(path);
    await appendFile(path, `\n${line("u2")}`);
    expect(
      brief([first, ...(await readAll(path, first?.position))].filter((each) => each !== undefined)),
    ).toEqual([
      { isStart: true, rows: ["u1"], rejected: [], offset: line("u1").length - 1, lines: 0 },
      { isStart: false, rows: ["u2"], rejected: [], offset: 2 * line("u1").length, lines: 2 },
    ]);
  });

  it("reports lines that hold no row by number and place, and goes on", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    const bad = ["{not json}\n", '{"no":"type"}\n', `"${"x".repeat(300)}"\n`];
    await writeFile(path, line("u1") + bad.join("") + line("u2"));
    const at = (index: number) => line("u1").length + bad.slice(0, index).join("").length;
    const [batch] = await readAll(path, undefined, { maxLineBytes: 200 });
    expect(batch?.rejected).toEqual([
      { line: 2, offset: at(0), reason: "not valid JSON" },
      { line: 3, offset: at(1), reason: "no type" },
      { line: 4, offset: at(2), reason: "longer than the limit" },
    ]);
    expect(batch?.rows).toHaveLength(2);
    await appendFile(path, "{\n");
    expect((await readAll(path, batch?.position))[0]?.rejected).toEqual([
      { line: 6, offset: at(3) + line("u2").length, reason: "not valid JSON" },
    ]);
  });

  it("finds the row behind half a row that a killed client left", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    const text = JSON.stringify({ type: "user", note: 'looks like {"type":"user"}' });
    await writeFile(path, line("u1", text).slice(0, -8) + line("u2", text));
    expect(brief(await readAll(path))).toEqual([
      {
        ...{ isStart: true, rows: ["u2"], lines: 1, offset: line("u1", text).length * 2 - 8 },
        rejected: [{ line: 1, offset: 0, reason: "not valid JSON" }],
      },
    ]);
  });

  it("gives no more than so many bytes at a time", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    await writeFile(path, [1, 2, 3, 4, 5].map((each) => line(`u${each}`)).join(""));
    const batches = await readAll(path, undefined, { batchBytes: line("u1").length + 1 });
    expect(brief(batches).map(({ isStart, rows }) => ({ isStart, rows }))).toEqual([
      { isStart: true, rows: ["u1", "u2"] },
      { isStart: false, rows: ["u3", "u4"] },
      { isStart: false, rows: ["u5"] },
    ]);
    expect(brief(await readAll(path, batches[0]?.position)).map(({ rows }) => rows)).toEqual([
      ["u3", "u4", "u5"],
    ]);
  });

  it("says so when there is no such file", async () => {
    await using dir = await tempDir();
    const facts = { kind: "io", code: "file-missing", path: dir.join("a") };
    await expect(readAll(dir.join("a"))).rejects.toMatchObject(facts);
  });
});

describe("a file that was written anew is read from its start", () => {
  const position = async (path: string) => {
    await writeFile(path, line("u1") + line("u2"));
    return (await readAll(path)).at(-1)?.position;
  };

  it("when another file took its place", async () => {
    await using dir = await tempDir();
    const from = await position(dir.join("a"));
    await writeFile(dir.join("b"), line("u1") + line("u2") + line("u3"));
    await rename(dir.join("b"), dir.join("a"));
    expect(brief(await readAll(dir.join("a"), from))).toMatchObject([
      { isStart: true, rows: ["u1", "u2", "u3"] },
    ]);
  });

  it("when it became shorter, even empty", async () => {
    await using dir = await tempDir();
    const from = await position(dir.join("a"));
    await truncate(dir.join("a"), line("u1").length);
    expect(brief(await readAll(dir.join("a"), from))).toMatchObject([{ isStart: true, rows: ["u1"] }]);
    await truncate(dir.join("a"), 0);
    expect(brief(await readAll(dir.join("a"), from))).toMatchObject([{ isStart: true, rows: [], offset: 0 }]);
  });

  it("when other bytes stand before the place where reading stopped", async () => {
    await using dir = await tempDir();
    const from = await position(dir.join("a"));
    await writeFile(dir.join("a"), line("u1") + line("u9") + line("u3"));
    expect(brief(await readAll(dir.join("a"), from))).toMatchObject([
      { isStart: true, rows: ["u1", "u9", "u3"] },
    ]);
  });
});

/** Reads batches as whoever keeps the state elsewhere does: it goes through JSON each time. */
async function readBatches(batches: AsyncIterable<TranscriptBatch>, from?: TranscriptState) {
  let state = from ?? startTranscript(sessionOfClient);
  const entries: Absorbed["entries"][number][] = [];
  let last: TranscriptBatch | undefined;
  for await (const batch of batches) {
    const known: TranscriptState = batch.isStart ? startTranscript(sessionOfClient) : state;
    const absorbed = absorb(JSON.parse(JSON.stringify(known)), batch.rows);
    ({ state } = absorbed);
    entries.push(...absorbed.entries);
    last = batch;
  }
  return { state, entries, position: last?.position };
}

describe("any transcript", () => {
  it("gives the same entries, however it grows between readings, with garbage in it", async () => {
    const garbage = fc.constantFrom("", "{", "nonsense", "[]", " ", '{"type":');
    await fc.assert(
      fc.asyncProperty(
        anyTranscript,
        fc.array(garbage, { maxLength: 30 }),
        fc.array(fc.nat(9000), { maxLength: 5 }),
        async (rows, bad, places) => {
          await using dir = await tempDir();
          const path = dir.join("a.jsonl");
          const text = rows.map(
            (row, index) => `${JSON.stringify(row)}\n${bad[index] ? `${bad[index]}\n` : ""}`,
          );
          const bytes = Buffer.from(text.join(""));
          let known: Awaited<ReturnType<typeof readBatches>> | undefined;
          const entries: unknown[] = [];
          await writeFile(path, "");
          let from = 0;
          for (const to of [...places.toSorted((one, other) => one - other), bytes.byteLength]) {
            await appendFile(path, bytes.subarray(from, to));
            from = Math.max(from, Math.min(to, bytes.byteLength));
            const batches = readTranscript(path, known?.position, { batchBytes: 2000 });
            const now = await readBatches(batches, known?.state);
            entries.push(...now.entries);
            known = { ...now, position: now.position ?? known?.position };
          }
          const whole = read(rows);
          expect({ entries, state: known?.state }).toEqual({ entries: whole.entries, state: whole.state });
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is read with little memory, however long it is", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.jsonl");
    const row = line("u1", "y".repeat(1_000_000));
    for (let count = 0; count < 50; count += 1) await appendFile(path, row);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let rows = 0;
    for await (const batch of readTranscript(path)) {
      rows += batch.rows.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(rows).toBe(50);
    expect(most).toBeLessThan(20_000_000);
  });
});
