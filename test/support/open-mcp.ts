import { hostname } from "node:os";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { runCli } from "../../src/cli/run-cli.ts";
import type { Carryon } from "./run-carryon.ts";
import { launcher, testContext } from "./test-context.ts";

/** What a tool answered. */
interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** What it says for programs; undefined where it says nothing. */
  readonly facts: unknown;
}

/** The official client, connected with a server. Both are gone with the scope. */
export interface Mcp extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. */
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  /** Reads a resource. */
  read(uri: string): Promise<string>;
}

interface McpOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Serves `carryon mcp` of a folder in this process, and connects a client with it. */
export async function openMcp(carryon: Carryon, { cwd, env }: McpOptions = {}): Promise<Mcp> {
  const input = new PassThrough();
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      input.end();
      await served;
      transport.onclose?.();
    },
  };
  const context = testContext(cwd ?? `${carryon.folder}/work`, {
    ...{ env: { ...carryon.env, ...env }, userHome: carryon.folder, machine: hostname(), input },
    // The server writes a message at a time.
    out: (text) => transport.onmessage?.(JSON.parse(text)),
  });
  const served = runCli(["mcp"], context);
  return connect(transport);
}

/** The same with the program, which finds its session by the process that has started it. */
export async function startMcp(
  carryon: Pick<Carryon, "folder" | "env">,
  { cwd, env }: McpOptions = {},
): Promise<Mcp> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, "mcp"],
    cwd: cwd ?? `${carryon.folder}/work`,
    env: { ...carryon.env, ...env },
  });
  return connect(transport);
}

async function connect(transport: Transport): Promise<Mcp> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    call: async (name, input = {}) => {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
      return { text: textOf(content), isError: isError === true, facts: structuredContent };
    },
    read: async (uri) => {
      const { contents } = await client.readResource({ uri });
      return contents.map((each) => ("text" in each ? each.text : "")).join("");
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function textOf(content: unknown): string {
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("\n");
}
