import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { Chat } from "../../chat/chat.ts";
import { startChat } from "../../chat/start-chat.ts";
import { usageError } from "../../lib/app-error.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { readVersion } from "../../lib/version.ts";
import type { ToolCallPart } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { openToolbox } from "../../tools/open-toolbox.ts";
import { choiceOf, readHere, using } from "../../workspace/open-here.ts";
import type { Departure, HeldChat } from "../chat/commands/chat-command.ts";
import { addToHistory, locateHistory, openHistory } from "../chat/history/history-file.ts";
import { PlainChat } from "../chat/plain/plain-chat.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand, parseSeconds, sessionHelp } from "../define-command.ts";
import { leaseDuration } from "../lease-duration.ts";
import { describeValue } from "../transcript/describe-value.ts";

/** Returns what the model is told first: the text that was given, or for `@file` what stands in a file. */
async function parseSystem({ cwd }: Pick<CommandContext, "cwd">, given: string): Promise<string> {
  if (!given.startsWith("@")) return given;
  const path = resolve(cwd, given.slice(1));
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageError("input-unreadable", `${path} cannot be read: ${reason}.`, {
      cause,
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

/** What a person wants of a chat. */
interface ChatRequest {
  readonly session?: string | undefined;
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  readonly sessionFile?: string | undefined;
  /** In seconds; never, for 0. */
  readonly autoSaveInterval: number;
  readonly hasTools: boolean;
  /** Whether nothing is asked before the model writes or runs something. */
  readonly yes: boolean;
}

/** Holds a chat on the terminal, or in a pipe, and says at its end how to go on with it. */
async function runChat(context: CommandContext, request: ChatRequest): Promise<void> {
  let held: HeldChat | undefined;
  const chat = await openChat(context, request, {
    draft: () => held?.draft() ?? { input: "" },
    onTrouble: (error) => held?.tellTrouble(error),
  });
  await using(chat, async () => {
    held = await show(context, chat, request);
    await leave(context, chat, await hold(held));
  });
}

type Listeners = Required<Pick<Parameters<typeof startChat>[0], "draft" | "onTrouble">>;

async function openChat(context: CommandContext, request: ChatRequest, listeners: Listeners): Promise<Chat> {
  const { cwd, env, machine, clock, random } = context;
  const { session, name, model, system, sessionFile, autoSaveInterval, hasTools } = request;
  return startChat({
    ...{ cwd, env, machine, clock, random, autoSaveInterval, ...choiceOf(context), ...listeners },
    ...leaseDuration(context),
    version: await readVersion(),
    ...(session === undefined ? {} : { session }),
    ...(name === undefined ? {} : { name }),
    ...(model === undefined ? {} : { model }),
    ...(system === undefined ? {} : { system }),
    ...(sessionFile === undefined ? {} : { sessionFile }),
    ...(hasTools ? {} : { tools: "none" }),
  });
}

/** Chooses what the chat is shown on; what draws on a terminal is loaded only for one. */
async function show(context: CommandContext, chat: Chat, { yes }: ChatRequest): Promise<HeldChat> {
  const { isTerminal, env } = context;
  const setting = { context, chat };
  if (!isTerminal.input || !isTerminal.output || env.TERM === "dumb") return new PlainChat(setting, { yes });
  const history = locateHistory(choiceOf(context).home);
  const { openTerminalChat } = await import("../chat/terminal/open-terminal-chat.ts");
  return openTerminalChat(setting, await context.openTerminal(), {
    typed: await openHistory(history),
    keepTyped: (text) => addToHistory(history, text),
    describeCall: await makeDescriber(context),
    yes,
  });
}

/** What ends a chat is told after everything is saved. */
async function hold(held: HeldChat): Promise<Departure> {
  try {
    return await held.run();
  } catch (error) {
    return { draft: held.draft(), reason: error };
  }
}

async function leave(context: CommandContext, chat: Chat, { draft, reason }: Departure): Promise<void> {
  const { session } = chat.status;
  await chat.end(draft, reason === undefined ? "ended" : "interrupted");
  const isThere = await readHere(
    context,
    async ({ store }) => (await store.log.list({ id: session })).sessions.length > 0,
  );
  if (isThere) context.err(renderResumeLine(session));
  if (reason !== undefined) throw reason;
}

/** Says how a session is gone on with. */
function renderResumeLine(session: SessionId): string {
  return `Resume with: carryon chat --session ${renderShellWord(session)}\n`;
}

/** More of a call that nobody can describe is not for one line. */
const longest = 400;

/** Makes what says in one line what a call does: as its tool says it, else with what it was given. */
async function makeDescriber({
  cwd,
  env,
}: Pick<CommandContext, "cwd" | "env">): Promise<(call: ToolCallPart) => string> {
  const { find } = await openToolbox({ folder: cwd, env });
  return ({ name, input }) =>
    find(name)?.describe(input) ?? `${name}  ${describeValue(input)}`.slice(0, longest);
}
