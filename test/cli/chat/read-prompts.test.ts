import fc from "fast-check";
import { expect, it } from "vitest";
import { readPrompts } from "../../../src/cli/chat/plain/plain-chat.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

it.each([
  { case: "each line", input: "one\ntwo\n", prompts: ["one", "two"] },
  { case: "a last line without its end", input: "one\ntwo", prompts: ["one", "two"] },
  { case: "lines of Windows", input: "one\r\ntwo\r\n", prompts: ["one", "two"] },
  { case: "a line that goes on", input: "one\\\ntwo\nthree\n", prompts: ["one\ntwo", "three"] },
  { case: "a line of Windows that goes on", input: "one\\\r\ntwo\r\n", prompts: ["one\ntwo"] },
  { case: "a last line that would go on", input: "one\\\n", prompts: ["one"] },
  { case: "empty lines", input: "\none\n", prompts: ["", "one"] },
  { case: "nothing", input: "", prompts: [] },
])("yields $case, wherever the input is cut", async ({ input, prompts }) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (size) => {
      expect(await Array.fromAsync(readPrompts(inPieces(Buffer.from(input), size)))).toEqual(prompts);
    }),
  );
});

it("reads characters of any length as they are", async () => {
  const input = Buffer.from("ログイン 👩‍👧\n");
  expect(await Array.fromAsync(readPrompts(inPieces(input, 1)))).toEqual(["ログイン 👩‍👧"]);
});
