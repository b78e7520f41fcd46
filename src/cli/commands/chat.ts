import { Option } from "@commander-js/extra-typings";
import { parseSystem } from "../chat/parse-system.ts";
import { runChat } from "../chat/run-chat.ts";
import { defineCommand } from "../define-command.ts";
import { parseSeconds, sessionHelp } from "../parse-options.ts";

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
