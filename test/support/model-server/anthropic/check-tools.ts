import { isRecord } from "../is-record.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Yields what is wrong with the tools of a request, and with the choice among them. */
export function* checkTools({ tools, tool_choice, thinking }: Fields): Generator<string> {
  if (tools === undefined) {
    if (tool_choice !== undefined) yield "tool_choice: may only be specified while providing tools";
    return;
  }
  if (!Array.isArray(tools)) {
    yield "tools: Input should be a valid list";
    return;
  }
  for (const [index, tool] of tools.entries()) yield* checkTool(tool, `tools.${index}`);
  const names = tools.map((tool) => String(tool.name));
  if (new Set(names).size < names.length) yield "tools: Tool names must be unique.";
  yield* checkChoice(tool_choice, names, isRecord(thinking) && thinking.type !== "disabled");
}

function* checkTool(tool: unknown, place: string): Generator<string> {
  if (!isRecord(tool)) {
    yield `${place}: Input should be a valid dictionary or object to extract fields from`;
    return;
  }
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool.name))) {
    yield `${place}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  }
  // Tools that run at the API are known by their type.
  if (tool.type !== undefined && tool.type !== "custom") return;
  const { input_schema: schema } = tool;
  if (schema === undefined) yield `${place}.custom.input_schema: Field required`;
  else if (!isRecord(schema)) yield `${place}.custom.input_schema: Input should be a valid dictionary`;
  else if (schema.type === undefined) yield `${place}.custom.input_schema.type: Field required`;
  else if (schema.type !== "object") yield `${place}.custom.input_schema.type: Input should be 'object'`;
}

function* checkChoice(choice: unknown, names: readonly string[], thinks: boolean): Generator<string> {
  if (choice === undefined) return;
  const { type, name } = isRecord(choice) ? choice : {};
  if (!["auto", "any", "none", "tool"].includes(String(type))) {
    yield `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'none', 'tool'`;
  }
  if (type === "tool" && !names.includes(String(name))) yield `Tool '${name}' not found in provided tools`;
  if (thinks && (type === "tool" || type === "any")) {
    yield "Thinking may not be enabled when tool_choice forces tool use.";
  }
}
