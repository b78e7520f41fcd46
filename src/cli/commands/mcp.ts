import { existsSync } from "node:fs";
import { folderIsGone } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { readVersion } from "../../lib/version.ts";
import { type Caller, callerOf } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { Interrupted } from "../interrupted.ts";

export const command = defineCommand({
  details:
    "Speaks the Model Context Protocol on standard input and output until its client hangs up. Its tools and resources are " +
    "those of the project of the current folder: sessions can be listed, read and searched, work saved and loaded, decisions, " +
    "notes and blockers written down. Nothing can be deleted, and nothing satisfies a gate. docs/mcp.md tells everything.",
  examples: [
    { line: "claude mcp add carryon -- carryon mcp", does: "Let Claude Code start it in this project" },
    { line: "npx @modelcontextprotocol/inspector carryon mcp", does: "Look at what it offers" },
  ],
  define: (command) => command,
  run: async (context) => {
    const signal = context.catchSignals();
    if (context.isTerminal.input)
      context.err("This speaks with programs: docs/mcp.md says how a client starts it. Ctrl-D ends it.\n");
    const { serve } = await import("../../mcp/serve.ts");
    const { input, out: write, drained } = context;
    const warn = (warning: string) => context.err(`${toPrintableLine(warning)}\n`);
    try {
      const host = { version: await readVersion(), caller: () => callerStillThere(context) };
      await serve(host, { input, write, drained, signal, warn });
    } catch (error) {
      // A client that reads no more has hung up, as one that says no more.
      if (!(error instanceof Interrupted && error.signal === "SIGPIPE")) throw error;
    }
  },
});

/** A server may outlive the folder in which it was started; each call is told so. */
function callerStillThere(context: CommandContext): Caller {
  if (!existsSync(context.cwd)) throw folderIsGone();
  return callerOf(context);
}
