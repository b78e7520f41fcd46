import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../lib/app-error.ts";
import type { CommandContext } from "../command-context.ts";

/** Tells what the tour does. */
export interface Teller {
  step(title: string): Promise<void>;
  command(line: string): void;
  result(text: string): void;
}

/** Returns a teller that pauses between the steps only where somebody watches. */
export function makeTeller({ out, style, isTerminal }: CommandContext): Teller {
  let number = 0;
  return {
    step: async (title) => {
      if (isTerminal.output && number > 0) await sleep(1500);
      number += 1;
      out(`\n${style.bold(`${number}. ${title}`)}\n`);
    },
    command: (line) => out(`   ${style.dim("$")} ${style.cyan(line)}\n`),
    result: (text) => out(`   ${text.trimEnd().replaceAll("\n", "\n   ")}\n`),
  };
}

/** Ends the tour if something does not hold. */
export function insist(isTrue: boolean, otherwise: string): asserts isTrue {
  if (isTrue) return;
  throw new AppError(`The tour found a fault in Carryon: ${otherwise}.`, {
    kind: "internal",
    code: "tour-failed",
    hint: "Please report it, with the output of `carryon doctor`.",
  });
}
