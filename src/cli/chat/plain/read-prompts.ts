import { readFailed } from "../../../lib/file-error.ts";

/**
 * Yields the lines of an input, one prompt each; a line that ends with a backslash goes on in the next.
 *
 * The last line counts without its end, too.
 */
export async function* readPrompts(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let before = "";
  for await (const line of readLines(input)) {
    if (line.endsWith("\\")) before += `${line.slice(0, -1)}\n`;
    else {
      yield before + line;
      before = "";
    }
  }
  if (before !== "") yield before.trimEnd();
}

async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readChunks(input)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  const last = (rest + decoder.decode()).replace(/\r$/, "");
  if (last !== "") yield last;
}

async function* readChunks(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* input;
  } catch (error) {
    throw readFailed("Standard input", error);
  }
}
