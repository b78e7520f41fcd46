import { stoppedNote } from "../tools/stopped-note.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import type { RunDesk } from "./run.ts";
import { callEnded, callStarted, type RunRecord } from "./run-entries.ts";
import type { OpenCall } from "./run-phase.ts";

/** What the log says of calls that were not answered by their tool. */
export const callNotes = {
  declined: "The user declined this call. It was not run.",
  stopped: stoppedNote,
  redacted:
    "Not made: the program ended before this call was made, and its record has a text such as [redacted:…] wherever a secret was. If it is still needed, make it again with the true values. Never write such a text in the place of a secret; where a value cannot be found any more, report that.",
  cutOff:
    "Interrupted: the program ended before a result was recorded. The call may or may not have taken effect.",
} as const;

/**
 * Makes the calls of a reply one after another; each result is on disk before the next call is made.
 *
 * That a call which may change something is about to be made is on disk before it is: after a kill, one that was not
 * begun can be made without a doubt, and one that was is told to the model as interrupted.
 */
export async function makeCalls(
  desk: RunDesk,
  record: RunRecord,
  calls: readonly OpenCall[],
  signal: AbortSignal,
): Promise<void> {
  for (const { part } of calls) {
    signal.throwIfAborted();
    const tool = desk.toolbox.find(part.name);
    const description = tool?.describe(part.input) ?? part.name;
    const mayChange = tool !== undefined && tool.effect !== "reads";
    const preview = () => desk.toolbox.preview(part.name, part.input);
    const isAllowed = !mayChange || (await desk.approve({ call: part, description, preview }));
    if (isAllowed && mayChange) await record.append([callStarted(part.call)]);
    if (isAllowed) desk.tell({ type: "tool-started", call: part, description });
    const outcome = isAllowed ? await makeCall(desk, record, part, signal) : failed(callNotes.declined);
    await record.append([callEnded(part.call, outcome)]);
    desk.tell({ type: "tool-saved", call: part, outcome });
  }
}

async function makeCall(
  { toolbox }: RunDesk,
  record: RunRecord,
  { call, name, input }: OpenCall["part"],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    return await toolbox.run(name, input, signal);
  } catch (error) {
    if (signal.aborted) {
      await record.append([callEnded(call, failed(callNotes.stopped))]);
      throw signal.reason;
    }
    // A tool that breaks is no reason to lose the round: the worker is told, and may do it in another way.
    return failed(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Answers calls that were begun before the last process ended, once and for all. */
export function closeCalls(desk: RunDesk, record: RunRecord, calls: readonly OpenCall[]): Promise<void> {
  return answerCalls(desk, record, calls, { output: callNotes.cutOff, type: "repaired" });
}

/** Answers calls whose input is not known as it was, once and for all: made with what is known, they would do harm. */
export function returnCalls(desk: RunDesk, record: RunRecord, calls: readonly OpenCall[]): Promise<void> {
  return answerCalls(desk, record, calls, { output: callNotes.redacted, type: "not-made" });
}

async function answerCalls(
  { tell }: RunDesk,
  record: RunRecord,
  open: readonly OpenCall[],
  { output, type }: { readonly output: string; readonly type: "repaired" | "not-made" },
): Promise<void> {
  const calls = open.map(({ part }) => part);
  await record.append(calls.map(({ call }) => callEnded(call, failed(output))));
  tell({ type, calls });
}

function failed(output: string): ToolOutcome {
  return { output, failed: true };
}
