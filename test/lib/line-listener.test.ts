import fc from "fast-check";
import { expect, it } from "vitest";
import { listenToLines } from "../../src/lib/line-listener.ts";

/** Hears chunks, and returns the lines as they were told. */
function hear(chunks: readonly Uint8Array[]): readonly string[] {
  const lines: string[] = [];
  const listener = listenToLines((line) => lines.push(line));
  for (const chunk of chunks) listener.write(chunk);
  listener.end();
  return lines;
}

it("tells each line as soon as it has an end, and the last one at the end", () => {
  const lines: string[] = [];
  const listener = listenToLines((line) => lines.push(line));
  listener.write(Buffer.from("one\ntw"));
  expect(lines).toEqual(["one"]);
  listener.write(Buffer.from("o\n10%\r20%\rlast"));
  expect(lines).toEqual(["one", "two", "10%", "20%"]);
  listener.end();
  expect(lines).toEqual(["one", "two", "10%", "20%", "last"]);
});

it("tells a question before its line ends, and then only the rest", async () => {
  const told: (readonly string[])[] = [];
  const paused = Promise.withResolvers<void>();
  const listener = listenToLines((text, upTo) => {
    told.push([text, upTo]);
    if (upTo === "pause") paused.resolve();
  }, 1);
  listener.write(Buffer.from("one\nGo on? "));
  await paused.promise;
  expect(told).toEqual([
    ["one", "end"],
    ["Go on? ", "pause"],
  ]);
  listener.write(Buffer.from("yes\nlast"));
  listener.end();
  expect(told.slice(2)).toEqual([
    ["yes", "end"],
    ["last", "end"],
  ]);
});

it.each(["\n", "\r\n", "\rnext", ""])("ends a line that was told half-way before %j", async (rest) => {
  const told: (readonly string[])[] = [];
  const paused = Promise.withResolvers<void>();
  const listener = listenToLines((text, upTo) => {
    told.push([text, upTo]);
    if (upTo === "pause") paused.resolve();
  }, 1);
  const first = rest.startsWith("\r") ? "Go on?\r" : "Go on?";
  listener.write(Buffer.from(first));
  await paused.promise;
  listener.write(Buffer.from(rest.replace(/^\r/, "")));
  listener.end();
  expect(told).toEqual([["Go on?", "pause"], ["", "end"], ...(rest === "\rnext" ? [["next", "end"]] : [])]);
});

it("tells the same lines however the bytes are cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "한", "🙂", "\n", "\r", "\r\n") });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40)), (written, cuts) => {
      const bytes = Buffer.from(written);
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const expected = written.split(/\r\n|\n|\r/);
      expect(hear(chunks)).toEqual(expected.at(-1) === "" ? expected.slice(0, -1) : expected);
    }),
  );
});
