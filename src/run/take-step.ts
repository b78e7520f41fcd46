import { ioError } from "../lib/app-error.ts";
import type { Model, ModelEvent, ModelReply, ModelRequest } from "../model/model.ts";
import { ModelError } from "../model/model-error.ts";
import { messageText, type Part } from "../sessions/entry.ts";
import type { Strand } from "../sessions/ids.ts";
import { fitTalk } from "./fit-talk.ts";
import { closeCalls, makeCalls, returnCalls } from "./make-calls.ts";
import type { Action } from "./next-step.ts";
import { promptToGoOn, runNotes, workerPrompt } from "./prompts.ts";
import { parseReply, rulingTool } from "./ruling.ts";
import { copyRun, type RunDesk, type Speaker } from "./run.ts";
import { closed, type Draft, prompted, type RunRecord, roundEnded, userText } from "./run-entries.ts";
import { costSoFar, instructorStrand, workerStrand } from "./run-state.ts";
import { countMs, countTokens, remainingRounds } from "./spent.ts";

/** How much the instructor may think of a step. */
const thinkingTokens = 8192;

/** Every so many rounds a copy of the session is written where one is wanted. */
const roundsPerCopy = 5;

/** Does one step of a run, and records it. Whatever is not recorded when it is cut off is done again by the next process. */
export async function takeStep(
  desk: RunDesk,
  record: RunRecord,
  step: Action,
  signal: AbortSignal,
): Promise<void> {
  switch (step.type) {
    case "ask-instructor":
      return askInstructor(desk, record, signal);
    case "prompt-instructor":
      desk.tell({ type: "objected", reason: step.text });
      return record.append(prompted(step.call, step.text));
    case "tell-worker":
      return record.append([userText(workerStrand, step.instruction)]);
    case "ask-worker":
      return askWorker(desk, record, signal);
    case "close-calls":
      return closeCalls(desk, record, step.calls);
    case "return-calls":
      return returnCalls(desk, record, step.calls);
    case "run-calls":
      return makeCalls(desk, record, step.calls, signal);
    case "finish-round":
      return finishRound(desk, record, step);
  }
}

async function askInstructor(desk: RunDesk, record: RunRecord, signal: AbortSignal): Promise<void> {
  const { instructor: model } = desk;
  const { rounds, systemPrompt, config } = record.state;
  desk.tell({ type: "asked", who: "instructor", round: rounds + 1 });
  const request = {
    system: promptToGoOn(systemPrompt, config.workDir),
    ...{ tools: [rulingTool], mustCall: rulingTool.name },
    ...(config.useThinking ? { thinkingTokens } : {}),
  };
  const reply = await askModel(desk, record, { who: "instructor", model, request }, signal);
  const parsed = parseReply(reply);
  const draft = toDraft("instructor", withWords(reply, runNotes.silent), model.name);
  const isEnd = parsed.type === "decided" && !parsed.ruling.shouldContinue;
  await record.append(isEnd ? [draft, closed(parsed.call)] : [draft]);
  if (parsed.type === "decided")
    desk.tell({ type: "ruling-saved", round: rounds + 1, ruling: parsed.ruling });
}

async function askWorker(desk: RunDesk, record: RunRecord, signal: AbortSignal): Promise<void> {
  const { worker: model, toolbox } = desk;
  const { rounds, config } = record.state;
  desk.tell({ type: "asked", who: "worker", round: rounds + 1 });
  const tools = toolbox.tools.map(({ name, description, input }) => ({ name, description, input }));
  const request = { system: workerPrompt(config.workDir), tools };
  const reply = await askModel(desk, record, { who: "worker", model, request }, signal);
  const note = reply.end === "refused" ? runNotes.refused : runNotes.noReport;
  const isCut = reply.end === "length" && !reply.parts.some(({ type }) => type === "tool-call");
  const cut = { type: "text" as const, text: runNotes.reportCut };
  const whole = isCut ? { ...reply, parts: [...reply.parts, cut] } : reply;
  await record.append([toDraft("worker", withWords(whole, note), model.name)]);
}

/** A reply of nothing, or of thoughts alone, is no message that can be sent back. */
function withWords(reply: ModelReply, note: string): ModelReply {
  const isSaid =
    reply.parts.some(({ type }) => type === "tool-call") ||
    messageText({ kind: "message", role: "assistant", parts: reply.parts }).trim() !== "";
  return isSaid ? reply : { ...reply, parts: [...reply.parts, { type: "text", text: note }] };
}

async function finishRound(
  desk: RunDesk,
  record: RunRecord,
  { number, work, report }: Extract<Action, { type: "finish-round" }>,
): Promise<void> {
  const files = await desk.keepFiles(number, desk.clock.now());
  const cost = costSoFar(record.state);
  await record.append(roundEnded(number, work, report, { workerModel: desk.worker.name, files, cost }));
  const { spent } = record.state;
  desk.tell({
    ...{ type: "round-saved", round: number, report, files },
    tokens: countTokens(spent),
    ms: countMs(spent, desk.clock.now()),
    remaining: remainingRounds(record.state),
    ...(cost === undefined ? {} : { cost }),
  });
  if (number % roundsPerCopy !== 0) return;
  const reason = await copyRun(desk);
  if (reason !== undefined) desk.tell({ type: "not-copied", reason });
}

/** Who is asked, and with what beside the talk. */
interface Question {
  readonly who: Speaker;
  readonly model: Model;
  readonly request: Omit<ModelRequest, "messages">;
}

type Asking = Pick<RunDesk, "toMessages" | "tell">;

/** How often a reply is asked for that breaks off or does not come: nobody may be there to ask again. */
const mostAttempts = 3;

/** What a model that was asked again may well not fail with. The port has its own patience with everything else. */
const passing: readonly string[] = ["model-lost", "model-silent"];

/**
 * Asks a model and returns its reply, which the caller records.
 *
 * What had come of a reply that was stopped or broke off is recorded as cut off before it is asked for again, or the
 * reason is thrown.
 */
async function askModel(
  desk: Asking,
  record: RunRecord,
  question: Question,
  signal: AbortSignal,
): Promise<ModelReply> {
  for (let attempt = 2; ; attempt += 1) {
    try {
      return await askOnce(desk, record, question, signal);
    } catch (error) {
      if (attempt > mostAttempts || !(error instanceof ModelError) || !passing.includes(error.code))
        throw error;
      const { message: reason } = error;
      desk.tell({
        ...{ type: "retry", who: question.who, reason, waitMs: 0, attempt, attempts: mostAttempts },
      });
    }
  }
}

async function askOnce(
  { toMessages, tell }: Asking,
  record: RunRecord,
  { who, model, request }: Question,
  signal: AbortSignal,
): Promise<ModelReply> {
  const strand = strandOf(who);
  const talk = fitTalk(record.strand(strand), model.contextTokens);
  const messages = toMessages(talk, model.name);
  let said = "";
  try {
    for await (const event of model.stream({ ...request, messages }, signal)) {
      if (event.type === "reply") return event.reply;
      if (event.type === "text") said += event.text;
      tellEvent(tell, who, event);
    }
  } catch (error) {
    if (said.trim() !== "") await record.append([cutOff(strand, said, model.name)]);
    throw error;
  }
  throw ioError("no-reply", "The model's answer ended without a reply.", {
    hint: "Resume the run to ask again.",
  });
}

function strandOf(who: Speaker): Strand {
  return who === "instructor" ? instructorStrand : workerStrand;
}

function tellEvent(tell: RunDesk["tell"], who: Speaker, event: ModelEvent): void {
  if (event.type === "text" || event.type === "thinking" || event.type === "retry") tell({ ...event, who });
}

function cutOff(strand: Strand, text: string, model: string): Draft {
  const parts: readonly Part[] = [{ type: "text", text }];
  return { kind: "message", strand, role: "assistant", parts, model, interrupted: true };
}

/** Makes the message of a reply; `model` is as the user names it, with its provider. */
function toDraft(who: Speaker, { parts, usage }: ModelReply, model: string): Draft {
  return { kind: "message", strand: strandOf(who), role: "assistant", parts, model, usage };
}
