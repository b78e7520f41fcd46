import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario } from "./model-server/scenario.ts";
import { type Chatting, openChatting } from "./open-chatting.ts";
import { repoIn } from "./save-repo.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { launcher } from "./test-context.ts";

/** A run on a terminal, in a repository of its own, with a scripted model behind it. */
export interface RunTerminal extends Terminal {
  readonly carryon: Chatting;
  /** Where the worker works. */
  readonly folder: string;
  /** Starts another run on a terminal of its own, in the same home and folder. */
  again(...args: readonly string[]): Promise<RunTerminal>;
}

/** Starts `carryon run` on a terminal of tmux. */
export async function openRunTerminal(scenario: Scenario, ...args: readonly string[]): Promise<RunTerminal> {
  const carryon = await openChatting(scenario, {
    ...{ TERM: "screen-256color", LANG: "C.UTF-8", NO_COLOR: "1" },
    CARRYON_MODEL: "anthropic/claude-sonnet-5-5",
  });
  await repoIn(join(carryon.folder, "work"));
  const terminal = await openIn(carryon, args);
  return {
    ...terminal,
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await carryon[Symbol.asyncDispose]();
    },
  };
}

async function openIn(carryon: Chatting, args: readonly string[]): Promise<RunTerminal> {
  const folder = await realpath(join(carryon.folder, "work"));
  const command = [process.execPath, launcher, "run", ...args] as const;
  const terminal = await openTerminal(command, { cwd: folder, env: carryon.env, columns: 100, rows: 30 });
  return { ...terminal, carryon, folder, again: (...others) => openIn(carryon, others) };
}
