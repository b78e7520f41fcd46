import { isSignatureOf } from "./signature.ts";
import { type BlockTurn, type PlacedBlock, toTurns } from "./turns.ts";
import { type Block, blocksOf, type WireMessage } from "./wire.ts";

/** Yields what is wrong with a conversation whose fields are right, in the words of the API. */
export function* checkConversation(messages: readonly WireMessage[]): Generator<string> {
  yield* checkRoles(messages);
  for (const [index, message] of messages.entries()) {
    yield* checkContent(message, `messages.${index}`, index === messages.length - 1);
  }
  const turns = toTurns(messages);
  yield* checkBlocks(turns);
  yield* checkCalls(turns);
}

function* checkRoles(messages: readonly WireMessage[]): Generator<string> {
  for (const [index, { role }] of messages.entries()) {
    if (!["user", "assistant", "system"].includes(role)) {
      yield `messages: Unexpected role "${role}". Allowed roles are "user" or "assistant"`;
    }
    if (role === "system") {
      const before = messages[index - 1]?.role;
      const after = messages[index + 1]?.role;
      yield* checkSystem(`messages.${index}`, before, after);
    }
  }
  if (messages[0]?.role !== "user") yield 'messages: first message must use the "user" role';
}

function* checkSystem(place: string, before?: string, after?: string): Generator<string> {
  if (before === undefined) {
    yield `${place}: use the top-level 'system' parameter for the initial system prompt`;
  }
  if (before !== "user") yield `${place}: role 'system' must follow a 'user' message`;
  if (after !== undefined && after !== "assistant") {
    yield `${place}: role 'system' must precede an 'assistant' message or end the array`;
  }
}

function* checkContent(
  { role, content, output_config }: WireMessage,
  place: string,
  isLast: boolean,
): Generator<string> {
  const isPrefill = isLast && role === "assistant";
  if (content.length === 0) {
    // Claude Code sends system entries that only set the effort.
    if (!isPrefill && output_config === undefined) {
      yield `${place}: all messages must have non-empty content except for the optional final assistant message`;
    }
    return;
  }
  yield* checkTexts(blocksOf(content));
  if (isPrefill && /\s$/.test(textsOf(blocksOf(content)).at(-1) ?? "")) {
    yield "messages: final assistant content cannot end with trailing whitespace";
  }
}

function* checkTexts(blocks: readonly Block[]): Generator<string> {
  const texts = textsOf(blocks);
  if ([...texts, ...blocks.flatMap(resultTexts)].includes(""))
    yield "messages: text content blocks must be non-empty";
  if (texts.some((text) => text.trim() === "")) {
    yield "messages: text content blocks must contain non-whitespace text";
  }
}

function textsOf(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
}

/** Returns the texts of which the result of a tool is made, where it is a list. */
function resultTexts({ type, content }: Block): readonly string[] {
  return type === "tool_result" && Array.isArray(content) ? textsOf(content) : [];
}

/** Who may say what. */
const owners: Readonly<Record<string, string>> = {
  tool_use: "assistant",
  thinking: "assistant",
  redacted_thinking: "assistant",
  tool_result: "user",
};

function* checkBlocks(turns: readonly BlockTurn[]): Generator<string> {
  for (const { role, blocks, place } of turns) {
    if (role === "assistant" && /thinking$/.test(blocks.at(-1)?.block.type ?? "")) {
      yield `${place}: The final block in an assistant message cannot be \`thinking\`.`;
    }
    for (const placed of blocks) yield* checkBlock(placed, role);
  }
}

function* checkBlock({ block, place }: PlacedBlock, role: string): Generator<string> {
  const owner = owners[block.type] ?? role;
  if (owner !== role) yield `${place}: \`${block.type}\` blocks can only be in \`${owner}\` messages`;
  if (block.type === "thinking" && !isSignatureOf(block.signature, block.thinking)) {
    yield `${place}: Invalid \`signature\` in \`thinking\` block`;
  }
}

function* checkCalls(turns: readonly BlockTurn[]): Generator<string> {
  const seen = new Set<unknown>();
  for (const [index, turn] of turns.entries()) {
    for (const { block, place } of blocksOfType(turn, "tool_use")) {
      if (seen.has(block.id)) yield `${place}: \`tool_use\` ids must be unique`;
      seen.add(block.id);
    }
    if (turn.role === "user") yield* checkResults(turn, turns[index - 1]);
    if (turn.role === "assistant") yield* checkAnswered(turn, turns[index + 1]);
  }
}

function* checkResults(turn: BlockTurn, before: BlockTurn | undefined): Generator<string> {
  const called = new Set(blocksOfType(before, "tool_use").map(({ block }) => block.id));
  const answered = new Set<unknown>();
  for (const { block, place } of blocksOfType(turn, "tool_result")) {
    const id = block.tool_use_id;
    if (!called.has(id)) {
      yield `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (answered.has(id)) {
      yield `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
    answered.add(id);
  }
}

/** The results have to stand before anything else that the user says. */
function* checkAnswered(turn: BlockTurn, next: BlockTurn | undefined): Generator<string> {
  const blocks = next?.blocks ?? [];
  const end = blocks.findIndex(({ block }) => block.type !== "tool_result");
  const leading = end === -1 ? blocks : blocks.slice(0, end);
  const answered = new Set(leading.map(({ block }) => block.tool_use_id));
  const open = blocksOfType(turn, "tool_use")
    .map(({ block }) => block.id)
    .filter((id) => !answered.has(id));
  if (open.length > 0) {
    yield `${turn.place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
}

function blocksOfType(turn: BlockTurn | undefined, type: string): readonly PlacedBlock[] {
  return turn?.blocks.filter(({ block }) => block.type === type) ?? [];
}
