import { isRecord } from "../is-record.ts";
import {
  checkFields,
  checkName,
  emptyArray,
  invalid,
  missing,
  unsupported,
  wrongType,
} from "./complaints.ts";
import type { Complaint } from "./wire.ts";

/** The roles of messages, each with the fields that must be there, those that may, and what its content is made of. */
const roles: Readonly<Record<string, readonly [readonly string[], readonly string[], readonly string[]]>> = {
  system: [["content"], ["name"], ["text"]],
  assistant: [[], ["content", "name", "refusal", "audio", "annotations", "tool_calls"], ["text", "refusal"]],
  user: [["content"], ["name"], ["text", "image_url", "input_audio", "file"]],
  tool: [["content", "tool_call_id"], ["name"], ["text"]],
  developer: [["content"], ["name"], ["text"]],
};

type Fields = Readonly<Record<string, unknown>>;

/** Yields what is wrong with the fields of a message. */
export function* checkMessage(message: unknown, place: string): Generator<Complaint> {
  if (!isRecord(message)) {
    yield wrongType(place, "an object", message);
    return;
  }
  const { role } = message;
  const allowed = roles[String(role)];
  if (role === undefined) yield missing(`${place}.role`);
  else if (allowed === undefined) yield unsupported(`${place}.role`, role, Object.keys(roles));
  else {
    const [required, optional, parts] = allowed;
    yield* checkFields(message, place, ["role", ...required], optional);
    yield* checkContent(message, place, parts);
    if (role === "assistant") yield* checkCalls(message, place);
    if (role === "tool" && typeof message.tool_call_id !== "string") {
      yield wrongType(`${place}.tool_call_id`, "a string", message.tool_call_id);
    }
  }
}

function* checkContent(
  { content, tool_calls }: Fields,
  place: string,
  types: readonly string[],
): Generator<Complaint> {
  if (content === undefined || content === null) {
    if (tool_calls === undefined) {
      const param = place.replace("[", ".[");
      yield invalid("Invalid value for 'content': expected a string, got null.", `${param}.content`);
    }
    return;
  }
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    yield invalid(
      `Invalid type for '${place}.content': expected one of a string or array of objects, but got ${typeof content === "object" ? "an object" : `a ${typeof content}`} instead.`,
      `${place}.content`,
      "invalid_type",
    );
    return;
  }
  if (content.length === 0) yield emptyArray(`${place}.content`);
  for (const [index, part] of content.entries()) yield* checkPart(part, `${place}.content[${index}]`, types);
}

function* checkPart(part: unknown, place: string, types: readonly string[]): Generator<Complaint> {
  if (!isRecord(part)) {
    yield wrongType(place, "an object", part);
    return;
  }
  const type = String(part.type);
  if (part.type === undefined) yield missing(`${place}.type`);
  else if (!types.includes(type)) yield unsupported(`${place}.type`, type, types);
  else {
    yield* checkFields(part, place, ["type", type], []);
    if (type === "text" && typeof part.text !== "string")
      yield wrongType(`${place}.text`, "a string", part.text);
  }
}

function* checkCalls({ tool_calls }: Fields, place: string): Generator<Complaint> {
  if (tool_calls === undefined) return;
  if (!Array.isArray(tool_calls)) {
    yield wrongType(`${place}.tool_calls`, "an array of objects", tool_calls);
    return;
  }
  if (tool_calls.length === 0) yield emptyArray(`${place}.tool_calls`);
  for (const [index, call] of tool_calls.entries()) yield* checkCall(call, `${place}.tool_calls[${index}]`);
}

function* checkCall(call: unknown, place: string): Generator<Complaint> {
  if (!isRecord(call)) {
    yield wrongType(place, "an object", call);
    return;
  }
  yield* checkFields(call, place, ["id", "type", "function"], []);
  if (typeof call.id !== "string") yield wrongType(`${place}.id`, "a string", call.id);
  if (call.type !== "function") yield unsupported(`${place}.type`, call.type, ["function", "custom"]);
  if (!isRecord(call.function)) {
    yield wrongType(`${place}.function`, "an object", call.function);
    return;
  }
  yield* checkFields(call.function, `${place}.function`, ["name", "arguments"], []);
  yield* checkName(call.function.name, `${place}.function.name`);
  if (typeof call.function.arguments !== "string") {
    yield wrongType(`${place}.function.arguments`, "a string", call.function.arguments);
  }
}
