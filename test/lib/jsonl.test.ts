import { appendFile, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendJsonl, type JsonlLine, type JsonlOptions, readJsonl } from "../../src/lib/jsonl.ts";
import { tempDir } from "../support/temp-dir.ts";

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  // One buffer for all chunks, as a source that saves memory has it.
  const buffer = Buffer.alloc(size);
  for (let from = 0; from < bytes.byteLength; from += size) {
    const length = buffer.write(Buffer.from(bytes.subarray(from, from + size)).toString("latin1"), "latin1");
    yield buffer.subarray(0, length);
  }
}

async function readAll(
  source: AsyncIterable<Uint8Array> | string,
  options?: JsonlOptions,
): Promise<JsonlLine[]> {
  const lines: JsonlLine[] = [];
  for await (const line of readJsonl(source, options)) lines.push(line);
  return lines;
}

const read = (text: string | Uint8Array, options?: JsonlOptions) =>
  readAll(inChunks(Buffer.from(text), 5), options);
const line = (number: number, value: unknown): JsonlLine => ({ type: "line", number, value });
const rejected = (number: number, reason: string): JsonlLine => ({
  type: "rejected",
  number,
  reason,
  torn: false,
});

describe("readJsonl", () => {
  it("yields each value with the number of its line", async () => {
    expect(await read('{"a":1}\n[2]\n"three"\n')).toEqual([
      line(1, { a: 1 }),
      line(2, [2]),
      line(3, "three"),
    ]);
  });

  it("takes CRLF, and skips blank lines but counts them", async () => {
    expect(await read("1\r\n\r\n \t\r\n\n2\r\n")).toEqual([line(1, 1), line(5, 2)]);
  });

  it("takes a byte order mark at the start and nowhere else", async () => {
    expect(await read("\uFEFF1\n\uFEFF2\n")).toEqual([line(1, 1), rejected(2, "not valid JSON")]);
  });

  it("yields nothing for an empty source or a mere byte order mark", async () => {
    expect(await read("")).toEqual([]);
    expect(await read("\uFEFF")).toEqual([]);
  });

  it("reports a bad line by its number and goes on", async () => {
    const bytes = Buffer.concat([
      Buffer.from('1\n{"a":\n"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"\n4\n'),
    ]);
    expect(await read(bytes)).toEqual([
      line(1, 1),
      rejected(2, "not valid JSON"),
      rejected(3, "not valid UTF-8"),
      line(4, 4),
    ]);
  });

  it("takes a last line without a newline if it holds a value", async () => {
    expect(await read('1\n{"a":2}')).toEqual([line(1, 1), line(2, { a: 2 })]);
  });

  it.each([
    { case: "cut inside a value", tail: Buffer.from('{"a":'), reason: "not valid JSON" },
    { case: "cut inside a character", tail: Buffer.from('"é').subarray(0, 2), reason: "not valid UTF-8" },
    { case: "too long", tail: Buffer.from("1".repeat(21)), reason: "longer than the limit" },
  ])("marks a tail as torn that is $case", async ({ tail, reason }) => {
    const torn = { type: "rejected", number: 2, reason, torn: true };
    expect(await read(Buffer.concat([Buffer.from("1\n"), tail]), { maxLineBytes: 20 })).toEqual([
      line(1, 1),
      torn,
    ]);
  });

  it("rejects a line that is one byte too long, and takes one that just fits", async () => {
    expect(await read(`"${"x".repeat(18)}"\n"${"x".repeat(19)}"\n3\n`, { maxLineBytes: 20 })).toEqual([
      line(1, "x".repeat(18)),
      rejected(2, "longer than the limit"),
      line(3, 3),
    ]);
  });

  it("holds no more of an endless line than the limit", async () => {
    let before = 0;
    let after = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(1_000_000, "x");
      before = process.memoryUsage().arrayBuffers;
      for (let i = 0; i < 300; i++) yield chunk;
      after = process.memoryUsage().arrayBuffers;
      yield Buffer.from("\n2\n");
    }
    expect(await readAll(endless())).toEqual([rejected(1, "longer than the limit"), line(2, 2)]);
    // Each growth of the buffer may leave the one before it to the collector.
    expect(after - before).toBeLessThan(40_000_000);
  });

  it("yields the same for the same bytes, however they are cut into chunks", async () => {
    const piece = fc.constantFrom('{"a":1}', '"é"', "{", "\r", "\n", "\n", " ", "\uFEFF", '"𝄞"');
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 9 }), async (pieces, size) => {
        const bytes = Buffer.from(pieces.join(""));
        const options = { maxLineBytes: 12 };
        expect(await readAll(inChunks(bytes, size), options)).toEqual(
          await readAll(inChunks(bytes, 10_000), options),
        );
      }),
    );
  });

  it("reads a file, and stops reading when nobody asks for more", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("a.jsonl"), `"${"x".repeat(997)}"\n`.repeat(1000));
    for await (const first of readJsonl(dir.join("a.jsonl"))) {
      expect(first).toEqual(line(1, "x".repeat(997)));
      break;
    }
    expect(await readAll(dir.join("a.jsonl"))).toHaveLength(1000);
  });

  it("says so when there is no such file", async () => {
    await using dir = await tempDir();
    const facts = { kind: "io", code: "file-missing", path: dir.join("a") };
    await expect(readAll(dir.join("a"))).rejects.toMatchObject(facts);
  });

  it("names a file that it cannot read", async () => {
    await using dir = await tempDir();
    const facts = { kind: "io", code: "io-failed", path: dir.path, cause: { code: "EISDIR" } };
    await expect(readAll(dir.path)).rejects.toMatchObject(facts);
  });
});

describe("appendJsonl", () => {
  it("makes a file that only its owner may read", async () => {
    await using dir = await tempDir();
    await appendJsonl(dir.join("a"), [{ a: 1 }]);
    expect(await readFile(dir.join("a"), "utf8")).toBe('{"a":1}\n');
    expect((await stat(dir.join("a"))).mode & 0o777).toBe(0o600);
  });

  it("appends after what is there and keeps its permissions", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("a"), "1\n", { mode: 0o644 });
    await appendJsonl(dir.join("a"), [2, 3]);
    expect(await readFile(dir.join("a"), "utf8")).toBe("1\n2\n3\n");
    expect((await stat(dir.join("a"))).mode & 0o777).toBe(0o644);
  });

  it("does nothing for no values", async () => {
    await using dir = await tempDir();
    await appendJsonl(dir.join("a"), []);
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("ends a torn tail first, so that it does not swallow the next line", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("a"), '1\n{"half":');
    await appendJsonl(dir.join("a"), [3]);
    expect(await readFile(dir.join("a"), "utf8")).toBe('1\n{"half":\n3\n');
  });

  it("gives back any values, after any number of calls and torn tails", async () => {
    const batch = fc.record({ values: fc.array(fc.jsonValue(), { maxLength: 3 }), torn: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 4 }), async (batches) => {
        await using dir = await tempDir();
        await writeFile(dir.join("a"), "");
        for (const { values, torn } of batches) {
          await appendJsonl(dir.join("a"), values);
          if (torn) await appendFile(dir.join("a"), '{"torn');
        }
        const read = (await readAll(dir.join("a"))).filter((each) => each.type === "line");
        const values = batches.flatMap((each) => each.values);
        expect(read.map((each) => each.value)).toEqual(JSON.parse(JSON.stringify(values)));
      }),
      { numRuns: 30 },
    );
  });

  it("keeps every line whole when many append at once", async () => {
    await using dir = await tempDir();
    const values = Array.from({ length: 50 }, (_, i) => String(i).repeat(5000));
    await Promise.all(values.map((value) => appendJsonl(dir.join("a"), [value])));
    const read = await readAll(dir.join("a"));
    expect(read).toHaveLength(50);
    expect(new Set(read.map((each) => (each.type === "line" ? each.value : each)))).toEqual(new Set(values));
  });

  it("refuses a symbolic link, and makes nothing where it leads", async () => {
    await using dir = await tempDir();
    await symlink("target", dir.join("link"));
    const facts = { kind: "io", code: "symlink-refused", path: dir.join("link") };
    await expect(appendJsonl(dir.join("link"), [1])).rejects.toMatchObject(facts);
    expect(await readdir(dir.path)).toEqual(["link"]);
  });

  it("refuses a folder", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("a"));
    const facts = { kind: "io", code: "not-a-file", path: dir.join("a") };
    await expect(appendJsonl(dir.join("a"), [1])).rejects.toMatchObject(facts);
  });

  it.each([undefined, Symbol("s"), () => 1])(
    "writes nothing when one value has no form in JSON: %s",
    async (value) => {
      await using dir = await tempDir();
      await expect(appendJsonl(dir.join("a"), [1, value])).rejects.toThrow(TypeError);
      expect(await readdir(dir.path)).toEqual([]);
    },
  );
});
