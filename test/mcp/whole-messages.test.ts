import fc from "fast-check";
import { expect, it } from "vitest";
import { wholeMessages } from "../../src/mcp/whole-messages.ts";
import { anyCharacter } from "../support/any-character.ts";

async function read(chunks: readonly Uint8Array[]) {
  let tooLarge = 0;
  const messages: string[] = [];
  const input = (async function* () {
    yield* chunks;
  })();
  const whole = wholeMessages(input, () => {
    tooLarge += 1;
  });
  for await (const message of whole) messages.push(String(message));
  return { messages, tooLarge };
}

it("gives each message whole, however it comes in, and none that has not ended", async () => {
  const line = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll("\n", " "));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.string(),
      fc.integer({ min: 1, max: 9 }),
      async (lines, rest, size) => {
        const messages = lines.map((each) => `${each.toWellFormed()}\n`);
        const bytes = Buffer.from(messages.join("") + rest.replaceAll("\n", ""));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        expect(await read(chunks)).toEqual({ messages, tooLarge: 0 });
      },
    ),
  );
});

it("ends at a message that is too large, in time that grows with its size alone", async () => {
  const piece = Buffer.alloc(4096, "x");
  const pieces = Array.from({ length: 3000 }, () => piece);
  expect(await read([Buffer.from("one\n"), ...pieces, Buffer.from("\ntwo\n")])).toEqual({
    messages: ["one\n"],
    tooLarge: 1,
  });
});
