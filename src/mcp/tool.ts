import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { type ZodRawShape, z } from "zod";
import type { Call } from "./call.ts";

/** What a tool says of itself, and what it does. */
export interface ToolSpec<Input extends ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** Tells a model when to use it. */
  readonly description: string;
  readonly input: Input;
  /** The form of its facts, for a tool that gives any. */
  readonly output?: ZodRawShape;
  readonly annotations: ToolAnnotations;
  readonly run: (input: z.output<z.ZodObject<Input>>, call: Call) => Promise<CallToolResult>;
}

/** Runs what a tool does, and answers whatever happens. */
export type Answerer = (
  signal: AbortSignal,
  annotations: ToolAnnotations,
  work: (call: Call) => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** A tool that can be offered by a server. */
export type Tool = (server: McpServer, answer: Answerer) => void;

const remarks = z.string().optional().describe("What else there is to say, quoted");

/** It changes nothing. */
export const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** It adds something; nothing is lost by it. */
export const adds: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Makes a tool from its spec. Arguments that it does not have are refused, so that a wrong name is noticed. */
export function defineTool<Input extends ZodRawShape>(spec: ToolSpec<Input>): Tool {
  const { name, title, description, annotations, run } = spec;
  const inputSchema = z.strictObject(spec.input);
  const output =
    spec.output === undefined ? {} : { outputSchema: z.strictObject({ ...spec.output, remarks }) };
  return (server, answer) => {
    server.registerTool(
      name,
      { title, description, annotations, inputSchema, ...output },
      (given: unknown, { signal }: { readonly signal: AbortSignal }) =>
        answer(signal, annotations, (call) => run(given as z.output<z.ZodObject<Input>>, call)),
    );
  };
}

/** A text that somebody gives a tool. */
export const words = (description: string) => z.string().trim().min(1).max(10_000).describe(description);
/** Several texts. */
export const lines = (description: string) =>
  z.array(z.string().trim().min(1).max(2_000)).max(50).optional().describe(description);
