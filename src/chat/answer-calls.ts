import type { MessageContent, ToolCallPart } from "../sessions/entry.ts";
import { isOwnCall } from "../sessions/own-echo.ts";
import type { Tool, ToolOutcome } from "../tools/tool.ts";
import type { ChatEvent, TurnOptions } from "./chat.ts";
import type { ChatSession } from "./chat-session.ts";
import { outcomes } from "./notes.ts";

/**
 * Answers the calls of a reply one after another, and records each result at once, so that a crash loses only the one that
 * runs. Returns whether the turn goes on.
 *
 * Before a tool runs, the reply that calls it is on disk: whoever finds the call without a result knows what may have been
 * done. Nothing else has to be written down before.
 */
export async function* answerCalls(
  session: ChatSession,
  calls: readonly ToolCallPart[],
  options: TurnOptions,
): AsyncGenerator<ChatEvent, "goes on" | "stopped"> {
  const waiting = [...calls];
  let begun: ToolCallPart | undefined;
  try {
    for (let call = waiting[0]; call !== undefined; call = waiting[0]) {
      begun = options.signal.aborted ? undefined : call;
      const outcome = begun === undefined ? notRun : yield* answerCall(session, call, options);
      // What cannot be recorded now comes with what is recorded next.
      waiting.shift();
      await recordOutcome(session, call, outcome);
      yield { type: "tool-saved", call, outcome };
    }
    if (!options.signal.aborted) return "goes on";
    yield { type: "interrupted", reason: "stopped", entry: undefined };
    return "stopped";
  } finally {
    // Something has failed, or nobody listens any more. What cannot be recorded now is answered when the session is resumed.
    for (const call of waiting)
      await recordOutcome(session, call, call === begun ? unknownOutcome : notRun).catch(() => undefined);
  }
}

const notRun: ToolOutcome = { output: outcomes.notRun, failed: true };
const unknownOutcome: ToolOutcome = { output: outcomes.unknown, failed: true };

async function* answerCall(
  session: ChatSession,
  call: ToolCallPart,
  options: TurnOptions,
): AsyncGenerator<ChatEvent, ToolOutcome> {
  const { toolbox } = session.desk;
  const tool = toolbox?.find(call.name);
  if (toolbox === undefined || tool === undefined) return unknownTool(session, call);
  const description = tool.describe(call.input);
  const answer = await mayRun(session, call, { tool, description, options });
  if (answer !== "yes") return answer;
  yield { type: "tool-started", call, description };
  try {
    return await toolbox.run(call.name, call.input, options.signal, options.onOutput);
  } catch (error) {
    if (options.signal.aborted) return { output: outcomes.stopped, failed: true };
    // A tool that breaks is no reason to lose the turn: the model is told, and may do it in another way.
    return { output: `The tool failed: ${messageOf(error)}`, failed: true };
  }
}

/** Returns `yes`, or what becomes of a call that may not run. */
async function mayRun(
  { desk, state }: ChatSession,
  call: ToolCallPart,
  about: { readonly tool: Tool; readonly description: string; readonly options: TurnOptions },
): Promise<"yes" | ToolOutcome> {
  const { tool, description, options } = about;
  if (tool.effect === "reads" || state.approved.has(tool.name)) return "yes";
  try {
    const preview = await unlessAborted(
      desk.toolbox?.preview(call.name, call.input) ?? Promise.resolve(undefined),
      options.signal,
    );
    const answer = await unlessAborted(options.approve({ call, description, preview }), options.signal);
    if (answer === "no") return { output: outcomes.declined, failed: true };
    if (answer === "always") state.approved.add(tool.name);
    return "yes";
  } catch (error) {
    if (options.signal.aborted) return notRun;
    throw error;
  }
}

function unknownTool({ desk }: ChatSession, { name }: ToolCallPart): ToolOutcome {
  const names = desk.toolbox?.tools.map((tool) => tool.name) ?? [];
  const known = names.length === 0 ? "There are no tools." : `The tools are ${names.join(", ")}.`;
  return { output: `There is no tool ${JSON.stringify(name.slice(0, 80))}. ${known}`, failed: true };
}

async function recordOutcome(session: ChatSession, call: ToolCallPart, outcome: ToolOutcome): Promise<void> {
  const result = toResult(call.call, outcome);
  await session.say(isOwnCall(call) ? { ...result, echo: true } : result);
}

/** Makes the message that says what became of a call. */
export function toResult(call: string, { output, failed }: ToolOutcome): MessageContent {
  const part = { type: "tool-result", call, output, ...(failed ? { failed } : {}) } as const;
  return { kind: "message", role: "tool", parts: [part] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for a promise, or throws the reason of the signal as soon as it is aborted: whoever is asked may never answer. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
