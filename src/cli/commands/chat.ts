import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { AppError } from "../../lib/app-error.ts";
import { runChat } from "../chat/run-chat.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { parseSeconds, sessionHelp } from "../parse-options.ts";

/** Returns what the model is told first: the text that was given, or for `@file` what stands in a file. */
async function parseSystem({ cwd }: Pick<CommandContext, "cwd">, given: string): Promise<string> {
  if (!given.startsWith("@")) return given;
  const path = resolve(cwd, given.slice(1));
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(`${path} cannot be read: ${reason}.`, {
      ...{ kind: "usage", code: "input-unreadable", cause },
      hint: "Name a file that is there, or give the text itself.",
    });
  }
}

export const command = defineCommand({
  details:
    "Each message is saved before it is shown as such; /help in the chat lists its commands. ANTHROPIC_API_KEY or " +
    "OPENAI_API_KEY is the key of the model's provider, ANTHROPIC_BASE_URL or OPENAI_BASE_URL another server. The model may " +
    "read, list and search in this folder; before it writes or runs something, you are asked. In a pipe, each line is a " +
    "prompt, replies go to standard output, and what nobody can be asked about is declined.",
  examples: [
    { line: "carryon chat", does: "A new session; its id is shown" },
    { line: "carryon chat --session latest", does: "Go on in the newest session of this project" },
    {
      line: "carryon chat --model openai/gpt-5.6 --system @style.md",
      does: "Another model, told what a file says",
    },
    { line: 'echo "Why does the build fail?" | carryon chat', does: "One question, for a script" },
  ],
  define: (command) =>
    command
      .option("--session <id>", `Go on in this session: ${uncapitalise(sessionHelp)}`)
      .addOption(new Option("--name <slug>", "What a new session is called").conflicts("session"))
      .option("--model <name>", "The model, such as anthropic/claude-sonnet-5-5")
      .option("--system <text>", "What the model is told first; @file takes it from a file")
      .option(
        "--auto-save-interval <seconds>",
        "How often what is typed or half said is saved; 0 for never",
        parseSeconds,
        300,
      )
      .option(
        "--session-file <path>",
        "Keep a copy of the session in this file, and go on in the one that is there",
      )
      .option("--no-tools", "Let the model do nothing but talk")
      .option("--yes", "Let it write and run what it wants, without asking"),
  run: async (context, _args, { system, autoSaveInterval, tools, yes, ...options }) =>
    runChat(context, {
      ...options,
      autoSaveInterval,
      ...(system === undefined ? {} : { system: await parseSystem(context, system) }),
      ...{ hasTools: tools, yes: yes === true },
    }),
});

function uncapitalise(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
