import { isRecord } from "../is-record.ts";
import { checkTools } from "./check-tools.ts";

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
const unchecked =
  /^(search_result|tool_reference|server_tool_use|container_upload|compaction|\w+_tool_result)$/;

type Fields = Readonly<Record<string, unknown>>;

/** Yields what is wrong with the fields of a request, in the words of the API. */
export function* checkShape(body: Fields): Generator<string> {
  for (const field of ["model", "max_tokens", "messages"]) {
    if (body[field] === undefined) yield `${field}: Field required`;
  }
  const { max_tokens, messages } = body;
  if (!Number.isInteger(max_tokens)) yield "max_tokens: Input should be a valid integer";
  if (Number(max_tokens) < 1) yield "max_tokens: Input should be greater than or equal to 1";
  if (typeof body.model !== "string") yield "model: Input should be a valid string";
  if (body.stream !== undefined && typeof body.stream !== "boolean") {
    yield "stream: Input should be a valid boolean";
  }
  yield* checkThinking(body, Number(max_tokens));
  yield* checkTools(body);
  yield* checkSystem(body.system);
  if (!Array.isArray(messages)) {
    yield "messages: Input should be a valid list";
    return;
  }
  if (messages.length === 0) yield "messages: at least one message is required";
  for (const [index, message] of messages.entries()) yield* checkMessage(message, `messages.${index}`);
  const marks = countCacheMarks(body);
  if (marks > 4) yield `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
}

function* checkThinking({ thinking, temperature }: Fields, limit: number): Generator<string> {
  if (!isRecord(thinking) || thinking.type === "disabled") return;
  const { type, budget_tokens: budget } = thinking;
  if (type === "enabled") {
    if (budget === undefined) yield "thinking.enabled.budget_tokens: Field required";
    if (Number(budget) < 1024) {
      yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
    }
    if (Number(budget) >= limit) yield "`max_tokens` must be greater than `thinking.budget_tokens`.";
  }
  if (temperature !== undefined && temperature !== 1) {
    yield "`temperature` may only be set to 1 when thinking is enabled.";
  }
}

function* checkSystem(system: unknown): Generator<string> {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) {
    yield "system: Input should be a valid list";
    return;
  }
  for (const [index, block] of system.entries()) {
    if (isRecord(block) && block.type !== "text") yield `system.${index}.type: Input should be 'text'`;
    yield* checkBlock(block, `system.${index}`);
    if (isRecord(block) && block.text === "") yield "system: text content blocks must be non-empty";
  }
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
  value: Fields,
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

function* checkValues(block: Fields, place: string): Generator<string> {
  const { type, text } = block;
  if (type === "text" && typeof text !== "string") yield `${place}.text: Input should be a valid string`;
  if (type === "tool_use") yield* checkCall(block, place);
  if (type === "tool_result") yield* checkResult(block, place);
}

function* checkCall({ id, name, input }: Fields, place: string): Generator<string> {
  if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) {
    yield `${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  }
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) {
    yield `${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  }
  if (!isRecord(input)) yield `${place}.input: Input should be a valid dictionary`;
}

function* checkResult({ content, is_error }: Fields, place: string): Generator<string> {
  if (is_error === true && isEmpty(content))
    yield `${place}: content cannot be empty if \`is_error\` is true`;
  if (!Array.isArray(content)) return;
  for (const [index, each] of content.entries()) yield* checkBlock(each, `${place}.content.${index}`);
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
