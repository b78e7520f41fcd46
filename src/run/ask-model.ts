import { AppError } from "../lib/app-error.ts";
import type { Model, ModelEvent, ModelReply, ModelRequest } from "../model/model.ts";
import { ModelError } from "../model/model-error.ts";
import type { Part } from "../sessions/entry.ts";
import type { Strand } from "../sessions/ids.ts";
import { fitTalk } from "./fit-talk.ts";
import type { RunDesk, Speaker } from "./run.ts";
import type { Draft } from "./run-entries.ts";
import type { RunRecord } from "./run-record.ts";
import { instructorStrand, workerStrand } from "./run-state.ts";

/** Who is asked, and with what beside the talk. */
export interface Question {
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
export async function askModel(
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
  throw new AppError("The model's answer ended without a reply.", {
    ...{ kind: "io", code: "no-reply", hint: "Resume the run to ask again." },
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
export function toDraft(who: Speaker, { parts, usage }: ModelReply, model: string): Draft {
  return { kind: "message", strand: strandOf(who), role: "assistant", parts, model, usage };
}
