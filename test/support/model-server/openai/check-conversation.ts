import { invalid } from "./complaints.ts";
import type { ChatMessage, Complaint } from "./wire.ts";

/** The calls of a message that wait for results, each with the place of the result that came. */
type Calls = Map<string, number | undefined>;

/**
 * Yields what is wrong with the calls and results of messages whose fields are right, in the words of the API.
 *
 * Results have to stand behind the message that calls, with nothing but other results between them.
 */
export function* checkConversation(messages: readonly ChatMessage[]): Generator<Complaint> {
  yield* checkIds(messages);
  let calls: Calls = new Map();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") yield* takeResult(calls, message, index);
    else {
      yield* checkAnswered(calls, `messages.[${index}].role`);
      calls = new Map(message.tool_calls?.map(({ id }) => [id, undefined]));
    }
  }
  yield* checkAnswered(calls, "messages");
}

function* checkIds(messages: readonly ChatMessage[]): Generator<Complaint> {
  const seen = new Map<string, number>();
  for (const [index, { tool_calls }] of messages.entries()) {
    for (const [at, { id }] of (tool_calls ?? []).entries()) {
      const first = seen.get(id);
      if (first !== undefined) {
        yield duplicate(`'id' of '${id}'`, first, index, `messages.[${index}].tool_calls.[${at}].id`);
      }
      seen.set(id, index);
    }
  }
}

function* takeResult(
  calls: Calls,
  { tool_call_id: id = "" }: ChatMessage,
  index: number,
): Generator<Complaint> {
  const param = `messages.[${index}].tool_call_id`;
  const first = calls.get(id);
  if (calls.size === 0) {
    const rule = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    yield invalid(`Invalid parameter: ${rule}`, `messages.[${index}].role`);
  } else if (!calls.has(id)) {
    const rule = `'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
    yield invalid(`Invalid parameter: ${rule}`, param);
  } else if (first !== undefined) yield duplicate(`'tool_call_id' of '${id}'`, first, index, param);
  calls.set(id, index);
}

function* checkAnswered(calls: Calls, param: string): Generator<Complaint> {
  const open = [...calls].flatMap(([id, result]) => (result === undefined ? [id] : []));
  if (open.length === 0) return;
  const rule =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  const which = `The following tool_call_ids did not have response messages: ${open.join(", ")}`;
  yield invalid(`${rule} ${which}`, param);
}

function duplicate(what: string, first: number, second: number, param: string): Complaint {
  const where = `in messages[${first}] and messages[${second}]`;
  return invalid(`Invalid parameter: Duplicate value for ${what}, ${where}.`, param);
}
