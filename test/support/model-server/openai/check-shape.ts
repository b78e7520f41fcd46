import { isRecord } from "../is-record.ts";
import { checkMessage } from "./check-message.ts";
import {
  checkFields,
  checkName,
  emptyArray,
  invalid,
  missing,
  unknown,
  unsupported,
  wrongType,
} from "./complaints.ts";
import type { Complaint } from "./wire.ts";

const fields = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention
  reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature
  tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);

/** Yields what is wrong with the fields of a request, in the words of the API. */
export function* checkShape(body: Readonly<Record<string, unknown>>): Generator<Complaint> {
  const { model, messages } = body;
  if (model === undefined) yield invalid("you must provide a model parameter", null);
  else if (typeof model !== "string") yield wrongType("model", "a string", model);
  for (const field of Object.keys(body)) if (!fields.has(field)) yield unknown(field);
  yield* checkLimits(body);
  yield* checkStreaming(body);
  yield* checkTools(body);
  if (messages === undefined) yield missing("messages");
  else if (!Array.isArray(messages)) yield wrongType("messages", "an array of objects", messages);
  else {
    if (messages.length === 0) yield emptyArray("messages");
    for (const [index, message] of messages.entries()) yield* checkMessage(message, `messages[${index}]`);
  }
}

function* checkLimits(body: Readonly<Record<string, unknown>>): Generator<Complaint> {
  for (const field of ["max_tokens", "max_completion_tokens"]) {
    const limit = body[field];
    if (limit === undefined || limit === null) continue;
    if (!Number.isInteger(limit)) yield wrongType(field, "an integer", limit);
    else if (Number(limit) < 1) {
      const bound = `Expected a value >= 1, but got ${limit} instead.`;
      yield invalid(
        `Invalid '${field}': integer below minimum value. ${bound}`,
        field,
        "integer_below_min_value",
      );
    }
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    const message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
    yield invalid(message, "max_tokens", "invalid_parameter_combination");
  }
}

function* checkStreaming({
  stream,
  stream_options,
}: Readonly<Record<string, unknown>>): Generator<Complaint> {
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") {
    yield wrongType("stream", "a boolean", stream);
  }
  if (stream_options === undefined || stream_options === null) return;
  if (stream !== true) {
    yield invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      "stream_options",
    );
  }
  if (isRecord(stream_options)) {
    yield* checkFields(stream_options, "stream_options", [], ["include_usage", "include_obfuscation"]);
  } else yield wrongType("stream_options", "an object", stream_options);
}

function* checkTools(body: Readonly<Record<string, unknown>>): Generator<Complaint> {
  const { tools } = body;
  if (tools === undefined) {
    for (const field of ["tool_choice", "parallel_tool_calls"]) {
      if (body[field] === undefined) continue;
      yield invalid(
        `Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`,
        field,
      );
    }
    return;
  }
  if (!Array.isArray(tools)) {
    yield wrongType("tools", "an array of objects", tools);
    return;
  }
  if (tools.length === 0) yield emptyArray("tools");
  for (const [index, tool] of tools.entries()) yield* checkTool(tool, `tools[${index}]`);
  const names = tools.map((tool) => tool?.function?.name);
  if (new Set(names).size < names.length)
    yield invalid("Invalid 'tools': function names must be unique.", "tools");
  yield* checkChoice(body.tool_choice, names);
}

function* checkTool(tool: unknown, place: string): Generator<Complaint> {
  if (!isRecord(tool)) {
    yield wrongType(place, "an object", tool);
    return;
  }
  yield* checkFields(tool, place, ["type", "function"], []);
  if (tool.type !== "function") yield unsupported(`${place}.type`, tool.type, ["function", "custom"]);
  if (!isRecord(tool.function)) {
    yield wrongType(`${place}.function`, "an object", tool.function);
    return;
  }
  const { name, parameters } = tool.function;
  yield* checkFields(tool.function, `${place}.function`, ["name"], ["description", "parameters", "strict"]);
  yield* checkName(name, `${place}.function.name`);
  const type = isRecord(parameters) ? parameters.type : undefined;
  if (parameters !== undefined && type !== "object") {
    const rule = `schema must be a JSON Schema of 'type: "object"', got 'type: "${type ?? "None"}"'.`;
    const param = `${place}.function.parameters`;
    yield invalid(`Invalid schema for function '${name}': ${rule}`, param, "invalid_function_parameters");
  }
}

function* checkChoice(choice: unknown, names: readonly unknown[]): Generator<Complaint> {
  if (choice === undefined) return;
  if (typeof choice === "string") {
    if (!["none", "auto", "required"].includes(choice)) {
      yield unsupported("tool_choice", choice, ["none", "auto", "required"]);
    }
    return;
  }
  const chosen = isRecord(choice) && isRecord(choice.function) ? choice.function.name : undefined;
  if (chosen === undefined) yield missing("tool_choice.function");
  else if (!names.includes(chosen)) {
    yield invalid(`Tool choice '${chosen}' not found in 'tools' parameter.`, "tool_choice");
  }
}
