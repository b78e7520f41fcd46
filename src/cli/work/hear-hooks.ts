import { quoteOutput } from "../../work/quote-output.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";

/** A slow hook is heard as it goes on where somebody watches; elsewhere what it says is told at the end, if it matters. */
export function hearHooks({ isTerminal, err }: Pick<CommandContext, "isTerminal" | "err">): WorkDesk["hear"] {
  if (!isTerminal.error) return undefined;
  let isOpen = false;
  return (text, upTo) => {
    const [quoted = ""] = quoteOutput(text);
    if (quoted === "" && !isOpen) return;
    // An answer is not typed right behind its question.
    const gap = upTo === "pause" && /\s$/.test(text) ? " " : "";
    err(`${isOpen ? quoted.slice(2) : quoted}${gap}${upTo === "end" ? "\n" : ""}`);
    isOpen = upTo === "pause";
  };
}
