import { isUnderAgent } from "../../gates/is-under-agent.ts";
import { quoteOutput } from "../../work/describe-recovery.ts";
import { openWorkDesk, type WorkDesk } from "../../work/work-desk.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import { sessionOf } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command-context.ts";

/** Opens the work of the project of the current folder while something is done with it. */
export async function workHere<Result>(
  context: CommandContext,
  work: (desk: WorkDesk, here: WritableProject) => Promise<Result>,
): Promise<Result> {
  return writeHere(context, async (here) => {
    const asking = { mayAsk: mayAsk(context), hear: hearHooks(context) };
    // Loaded here, so that a save does not pay for digests.
    const recordedNext = async () =>
      (await import("../../memory/next-step.ts")).readNextStep(here, { except: sessionOf(context) });
    return work({ ...(await openWorkDesk({ ...here, ...asking })), recordedNext }, here);
  });
}

/** Tells whether there is a person to ask: a terminal, and no agent at it. */
export function mayAsk(context: CommandContext): boolean {
  return context.isTerminal.input && context.isTerminal.error && !isUnderAgent(context);
}

/** A slow hook is heard as it goes on where somebody watches; elsewhere what it says is told at the end, if it matters. */
function hearHooks({ isTerminal, err }: Pick<CommandContext, "isTerminal" | "err">): WorkDesk["hear"] {
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
