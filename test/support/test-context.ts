import { fileURLToPath } from "node:url";
import type { CommandContext } from "../../src/cli/command-context.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { toPrintableLine } from "../../src/lib/printable.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";

/** Where the program begins. */
export const launcher = fileURLToPath(new URL("../../bin/carryon.cjs", import.meta.url));

export interface TestContext extends CommandContext {
  /** What was written so far. */
  readonly said: { out: string; err: string };
}

/** Makes a context in a folder that remembers what is said; anything else can be given. */
export function testContext(folder: string, given: Partial<CommandContext> = {}): TestContext {
  const said = { out: "", err: "" };
  const plain = makeStyle({ colors: false });
  return {
    said,
    cwd: folder,
    env: { CARRYON_HOME: `${folder}/home` },
    userHome: folder,
    program: [process.execPath, launcher],
    pid: process.pid,
    machine: "test-machine",
    clock: systemClock,
    random: systemRandom,
    input: emptyInput(),
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    warn: (warning) => {
      said.err += `${toPrintableLine(warning)}\n`;
    },
    drained: async () => undefined,
    isTerminal: { input: false, output: false, error: false },
    hasOwnTerminal: () => false,
    columns: undefined,
    rows: undefined,
    style: plain,
    errorStyle: plain,
    catchSignals: () => new AbortController().signal,
    ignoreInterrupts: () => undefined,
    confirm: () => Promise.reject(new Error("Nothing should have been asked.")),
    choose: () => Promise.reject(new Error("Nothing should have been asked.")),
    askText: () => Promise.reject(new Error("Nothing should have been asked.")),
    start: () => Promise.reject(new Error("Nothing should have been started.")),
    openTerminal: () => Promise.reject(new Error("No terminal should have been opened.")),
    askSecret: () => Promise.reject(new Error("Nothing should have been asked.")),
    ...given,
  };
}

async function* emptyInput(): AsyncGenerator<Uint8Array> {
  // There is nothing to read.
}

/** Makes an input of lines. */
export async function* inputOf(...lines: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}
