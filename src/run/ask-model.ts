import type { Part } from "../conversation/entry.ts";
import type { Strand } from "../conversation/ids.ts";
import { AppError } from "../lib/app-error.ts";
import type { Model, ModelEvent, ModelReply, ModelRequest } from "../model/model.ts";
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

/**
 * Asks a model and returns its reply, which the caller records.
 *
 * What had come of a reply that was stopped or broke off is recorded as cut off before the reason is thrown.
 */
export async function askModel(
  { toMessages, tell }: Pick<RunDesk, "toMessages" | "tell">,
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
