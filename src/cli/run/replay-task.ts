import { conflictError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { type DryReplayed, replayDry } from "../../run/replay-dry.ts";
import { choiceOf } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import type { RunRequest } from "./open-asked.ts";
import { runTask } from "./run-task.ts";

/** What a person wants of a replay. */
export interface ReplayRequest extends Omit<RunRequest, "text" | "isResume" | "replay"> {
  readonly origin: string;
  readonly fromRound: number | undefined;
  /** The model of both, where one is not named. */
  readonly withModel?: string | undefined;
}

/** Does the task of a run over, and says how to compare the two. */
export async function replayTask(context: CommandContext, request: ReplayRequest): Promise<void> {
  const { origin, fromRound, withModel, instructor = withModel, worker = withModel, ...rest } = request;
  const { session, replays } = await runTask(context, {
    ...{ ...rest, instructor, worker, replay: { session: origin, fromRound } },
    ...{ text: undefined, isResume: false },
  });
  if (!rest.json && replays !== undefined)
    context.err(`Compare with: carryon diff ${renderShellWord(replays)} ${renderShellWord(session)}\n`);
}

/** Goes through a run without a model, and says where the program does something else today. */
export async function replayWithout(
  context: CommandContext,
  { origin, fromRound, json }: Pick<ReplayRequest, "origin" | "fromRound" | "json">,
): Promise<void> {
  const { cwd, clock } = context;
  const replayed = await replayDry({ cwd, clock, ...choiceOf(context), session: origin, fromRound });
  context.out(json ? `${renderJson(replayed)}\n` : describeReplayed(replayed));
  if (replayed.difference !== null)
    throw conflictError("replay-differs", `${replayed.session} would go another way today.`, {
      hint: `See what was recorded with \`carryon show ${replayed.session} --from ${replayed.difference?.seq ?? 1}\`.`,
    });
}

function describeReplayed(replayed: DryReplayed): string {
  const { session, rounds, entries, unchecked, prompt, difference } = replayed;
  const lines = [
    `${session}: ${plural(rounds, "round")}, ${plural(entries, "entry", "entries")} as they were recorded.`,
    ...(unchecked === 0
      ? []
      : [`${plural(unchecked, "entry", "entries")} from a session file could not be compared.`]),
    ...(prompt === "same" ? [] : ["A run that begins today gives its instructor another prompt."]),
    ...(difference === null
      ? []
      : [
          `The first difference is in round ${difference.round}, at entry ${difference.seq}.`,
          `  recorded: ${difference.recorded}`,
          `  today:    ${difference.now}`,
        ]),
  ];
  return lines.map((line) => `${toPrintableLine(line)}\n`).join("");
}
