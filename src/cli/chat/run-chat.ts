import type { Chat } from "../../chat/chat.ts";
import { startChat } from "../../chat/start-chat.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { readVersion } from "../../lib/version.ts";
import type { ToolCallPart } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { openToolbox } from "../../tools/open-toolbox.ts";
import { choiceOf, readHere, using } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { leaseDuration } from "../lease-duration.ts";
import { describeValue } from "../transcript/describe-value.ts";
import type { Departure, HeldChat } from "./chat-face.ts";
import { addToHistory, locateHistory, openHistory } from "./history/history-file.ts";
import { PlainChat } from "./plain/plain-chat.ts";

/** What a person wants of a chat. */
export interface ChatRequest {
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
export async function runChat(context: CommandContext, request: ChatRequest): Promise<void> {
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
  const { openTerminalChat } = await import("./terminal/open-terminal-chat.ts");
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
