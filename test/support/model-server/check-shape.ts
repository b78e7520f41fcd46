import { isRecord } from "./wire.ts";

/** The fields of the blocks that clients send; the first list must be there, the second may. */
const fieldsOfBlock: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  text: [["text"], ["cache_control", "citations"]],
  image: [["source"], ["cache_control"]],
  document: [["source"], ["cache_control", "citations", "context", "title"]],
  thinking: [["thinking", "signature"], []],
  redacted_thinking: [["data"], []],
  tool_use: [
    ["id", "name", "input"],
    ["cache_control", "caller"],
  ],
  tool_result: [["tool_use_id"], ["cache_control", "content", "is_error"]],
};

/** Blocks of tools that run at the API; no script has any, so they pass as they are. */
const unchecked = /^(search_result|server_tool_use|container_upload|compaction|\w+_tool_result)$/;

/** Yields what is wrong with the fields of a request, in the words of the API. */
export function* checkShape(body: Readonly<Record<string, unknown>>): Generator<string> {
  for (const field of ["model", "max_tokens", "messages"]) {
    if (body[field] === undefined) yield `${field}: Field required`;
  }
  const { max_tokens, messages } = body;
  if (!Number.isInteger(max_tokens)) yield "max_tokens: Input should be a valid integer";
  if (Number(max_tokens) < 1) yield "max_tokens: Input should be greater than or equal to 1";
  yield* checkThinking(body.thinking, Number(max_tokens));
  yield* checkTools(body.tools);
  if (!Array.isArray(messages)) {
    yield "messages: Input should be a valid list";
    return;
  }
  if (messages.length === 0) yield "messages: at least one message is required";
  for (const [index, message] of messages.entries()) yield* checkMessage(message, `messages.${index}`);
  const marks = countCacheMarks(body);
  if (marks > 4) yield `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
}

function* checkThinking(thinking: unknown, limit: number): Generator<string> {
  if (isRecord(thinking) && Number(thinking.budget_tokens ?? 0) >= limit) {
    yield "`max_tokens` must be greater than `thinking.budget_tokens`.";
  }
}

function* checkTools(tools: unknown): Generator<string> {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) {
    yield "tools: Input should be a valid list";
    return;
  }
  const names = tools.map((tool) => String(tool?.name));
  for (const [index, name] of names.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      yield `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
  }
  if (new Set(names).size < names.length) yield "tools: Tool names must be unique.";
}

function* checkMessage(message: unknown, place: string): Generator<string> {
  if (!isRecord(message)) {
    yield `${place}: Input should be a valid dictionary or object to extract fields from`;
    return;
  }
  const { role, content } = message;
  yield* checkFields(message, place, ["role", "content"], role === "system" ? ["output_config"] : []);
  if (typeof content === "string") return;
  if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) yield* checkBlock(block, `${place}.content.${index}`);
  } else yield `${place}.content: Input should be a valid list`;
}

function* checkBlock(block: unknown, place: string): Generator<string> {
  if (!isRecord(block)) {
    yield `${place}: Input should be a valid dictionary or object to extract fields from`;
    return;
  }
  const type = String(block.type);
  if (unchecked.test(type)) return;
  const fields = fieldsOfBlock[type];
  if (fields === undefined) {
    const tags = Object.keys(fieldsOfBlock).map((tag) => `'${tag}'`);
    yield `${place}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${tags.join(", ")}`;
    return;
  }
  const [required, optional] = fields;
  yield* checkFields(block, `${place}.${type}`, required, ["type", ...optional]);
  yield* checkValues(block, `${place}.${type}`);
}

function* checkFields(
  value: Readonly<Record<string, unknown>>,
  place: string,
  required: readonly string[],
  optional: readonly string[],
): Generator<string> {
  for (const field of required) {
    if (value[field] === undefined) yield `${place}.${field}: Field required`;
  }
  for (const field of Object.keys(value)) {
    if (!required.includes(field) && !optional.includes(field)) {
      yield `${place}.${field}: Extra inputs are not permitted`;
    }
  }
}

function* checkValues(block: Readonly<Record<string, unknown>>, place: string): Generator<string> {
  const { type, text, id, input, content, is_error } = block;
  if (type === "text" && typeof text !== "string") yield `${place}.text: Input should be a valid string`;
  if (type === "tool_use") {
    if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) {
      yield `${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    }
    if (!isRecord(input)) yield `${place}.input: Input should be a valid dictionary`;
  }
  if (type === "tool_result" && is_error === true && isEmpty(content)) {
    yield `${place}: content cannot be empty if \`is_error\` is true`;
  }
}

function isEmpty(content: unknown): boolean {
  return content === undefined || content === "" || (Array.isArray(content) && content.length === 0);
}

function countCacheMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + countCacheMarks(each), 0);
  if (!isRecord(value)) return 0;
  const marked = isRecord(value.cache_control) ? 1 : 0;
  // What a tool was called with is data, whatever its fields are named.
  const { input: _input, input_schema: _schema, ...rest } = value;
  return marked + countCacheMarks(Object.values(rest));
}
