import { toPrintableLine } from "../lib/printable.ts";
import { makeStyle } from "../lib/style.ts";
import type { CommandContext } from "./command-context.ts";

/** What was said on the two outputs. */
export interface Said {
  readonly out: string;
  readonly talk: string;
}

/** Makes a context without a terminal that remembers what is said. It inherits, because asking for the folder may fail. */
export function listen(
  context: CommandContext,
  given: Partial<CommandContext> = {},
): { readonly said: Said; readonly context: CommandContext } {
  const said = { out: "", talk: "" };
  const plain = makeStyle({ colors: false });
  const own: Partial<CommandContext> = {
    isTerminal: { input: false, output: false, error: false },
    columns: undefined,
    rows: undefined,
    style: plain,
    errorStyle: plain,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.talk += text;
    },
    warn: (warning) => {
      said.talk += `${toPrintableLine(warning)}\n`;
    },
    drained: () => Promise.resolve(),
    ...given,
  };
  return { said, context: Object.create(context, Object.getOwnPropertyDescriptors(own)) };
}
