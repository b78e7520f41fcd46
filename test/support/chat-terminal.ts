import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario } from "./model-server/scenario.ts";
import { type Chatting, openChatting } from "./open-chatting.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { launcher } from "./test-context.ts";

/** A chat on a terminal, with a scripted model behind it. */
export interface ChatTerminal extends Terminal {
  readonly carryon: Chatting;
  /** Types a line and sends it. */
  say(text: string): Promise<void>;
  /** Starts another chat on a terminal of its own, in the same home. */
  again(args: readonly string[], size?: TerminalSize): Promise<ChatTerminal>;
}

interface TerminalSize {
  readonly columns?: number;
  readonly rows?: number;
}

/** Starts a chat on a terminal of tmux and waits until one can type. */
export async function openChatTerminal(
  scenario: Scenario,
  args: readonly string[] = [],
  size: TerminalSize = {},
): Promise<ChatTerminal> {
  const carryon = await openChatting(scenario, { TERM: "screen-256color", LANG: "C.UTF-8", NO_COLOR: "1" });
  const terminal = await openIn(carryon, args, size);
  return {
    ...terminal,
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await carryon[Symbol.asyncDispose]();
    },
  };
}

async function openIn(
  carryon: Chatting,
  args: readonly string[],
  { columns = 80, rows = 24 }: TerminalSize,
): Promise<ChatTerminal> {
  const cwd = await realpath(join(carryon.folder, "work"));
  const command = [process.execPath, launcher, "chat", ...args] as const;
  const terminal = await openTerminal(command, { cwd, env: carryon.env, columns, rows });
  await terminal.waitFor("tokens");
  return {
    ...terminal,
    carryon,
    say: async (text) => {
      await terminal.type(text);
      await terminal.press("Enter");
    },
    again: (others, size = {}) => openIn(carryon, others, size),
  };
}
