import { LineSplitter } from "../lib/line-splitter.ts";

/** As much as the SDK holds of a message and its end. */
const mostBytes = 10 * 1024 * 1024 - 1;

/**
 * Yields what a client sends message by message, each with its end; ends at one that is too large, after telling so.
 *
 * The SDK looks at all that it holds of a message with each piece that comes: a large one in small pieces would take minutes.
 */
export async function* wholeMessages(
  input: AsyncIterable<Uint8Array>,
  onTooLarge: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const splitter = new LineSplitter(mostBytes);
  for await (const chunk of input) {
    for (const { bytes } of splitter.push(chunk)) {
      if (bytes === undefined) return onTooLarge();
      yield Buffer.concat([bytes, Buffer.from("\n")]);
    }
    if (splitter.pending > mostBytes) return onTooLarge();
  }
}
