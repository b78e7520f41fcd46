import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { CommandContext } from "./command-context.ts";

interface PagerFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** False after `--no-pager`. */
  readonly wanted: boolean;
}

/**
 * Returns the command that pages long output, or null when none should: $PAGER, else `less`, on a terminal only.
 *
 * It is split at spaces and run without a shell.
 */
export function choosePager({ env, isTerminal, wanted }: PagerFacts): readonly [string, ...string[]] | null {
  if (!wanted || !isTerminal || env.TERM === "dumb") return null;
  const [program, ...args] = (env.PAGER ?? "less -FRX").trim().split(/\s+/);
  return program === undefined || program === "" || program === "cat" ? null : [program, ...args];
}

/** Where a long text goes piece by piece. */
export interface Output {
  /** Writes a piece; false means that the reader has seen enough. */
  write(text: string): Promise<boolean>;
  /** Resolves when the reader is done. */
  end(): Promise<void>;
}

/** Opens standard output, with a pager in between once the text is longer than the terminal. */
export function openOutput(context: CommandContext, { pager }: { readonly pager: boolean }): Output {
  const { env, isTerminal, rows } = context;
  const command = choosePager({ env, isTerminal: isTerminal.output, wanted: pager });
  const plain = openPlain(context);
  return command === null || rows === undefined ? plain : openPaged(context, command, rows, plain);
}

function openPlain({ out, drained }: CommandContext): Output {
  return {
    write: async (text) => {
      out(text);
      await drained();
      return true;
    },
    end: async () => undefined,
  };
}

function openPaged(
  context: CommandContext,
  command: readonly [string, ...string[]],
  rows: number,
  plain: Output,
): Output {
  let held = "";
  let output: Output | undefined;
  return {
    write: async (text) => {
      if (output !== undefined) return output.write(text);
      held += text;
      if (held.split("\n").length < rows) return true;
      output = (await startPager(context, command)) ?? plain;
      return output.write(held);
    },
    end: async () => {
      if (output === undefined) await plain.write(held);
      await output?.end();
    },
  };
}

/** Returns undefined where there is no such program: then the text is printed as it is. */
async function startPager(
  context: CommandContext,
  [program, ...args]: readonly [string, ...string[]],
): Promise<Output | undefined> {
  const env = { LESS: "FRX", LV: "-c", ...context.env };
  const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"], env, cwd: context.cwd });
  try {
    await once(child, "spawn");
  } catch {
    // The program is missing or may not be run; nothing is lost.
    return undefined;
  }
  context.ignoreInterrupts();
  return toOutput(child);
}

function toOutput(child: ChildProcess): Output {
  const { stdin } = child;
  const closed = once(child, "close");
  // A pager that was left closes its input, which is how a reader says that it has seen enough.
  stdin?.on("error", () => undefined);
  return {
    write: async (text) => {
      if (stdin === null || !stdin.writable) return false;
      if (!stdin.write(text)) await Promise.race([once(stdin, "drain").catch(() => undefined), closed]);
      return stdin.writable;
    },
    end: async () => {
      stdin?.end();
      await closed;
    },
  };
}
