import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Carryon } from "./run-carryon.ts";
import { launcher } from "./test-context.ts";

/** What a tool answered. */
interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** What it says for programs; undefined where it says nothing. */
  readonly facts: unknown;
}

/** The official client, connected with the real server. Both are gone with the scope. */
export interface Mcp extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  /** Calls a tool. */
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  /** Reads a resource. */
  read(uri: string): Promise<string>;
  /** What the server has said on standard error so far. */
  talk(): string;
}

interface McpOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `carryon mcp` in a folder, and connects a client with it. */
export async function openMcp(carryon: Carryon, { cwd, env }: McpOptions = {}): Promise<Mcp> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, "mcp"],
    cwd: cwd ?? `${carryon.folder}/work`,
    env: { ...carryon.env, ...env },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    talk: () => said,
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
