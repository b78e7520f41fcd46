import type { Chat, Draft, Restored } from "../../../chat/chat.ts";
import { exportFormats } from "../../../formats/export-sessions.ts";
import { type AppError, usageError } from "../../../lib/app-error.ts";
import { toPrintableLine } from "../../../lib/printable.ts";
import { makeStyle } from "../../../lib/style.ts";
import { readHere } from "../../../workspace/open-here.ts";
import type { CommandContext } from "../../command-context.ts";
import { describeTitle } from "../../describe-title.ts";

/** A chat and where it is held. */
export interface ChatSetting {
  readonly context: CommandContext;
  readonly chat: Chat;
}

/** What a chat is shown on, as its commands see it. */
interface ChatFace {
  /** The width of the terminal; undefined in a pipe. */
  readonly columns: number | undefined;
  /** Shows what a command answers, with its colours. */
  answer(text: string): void;
  /** Says something about the chat, in a sentence. */
  note(text: string): void;
  /** Shows the session that was changed to. */
  showSession(restored: Restored): void;
  /** Returns what was typed and not said. */
  draft(): Draft;
  /** Gives the terminal to something that asks there itself, until it is done. */
  lendTerminal(work: () => Promise<void>): Promise<void>;
}

/** How a chat was left, and what was not said. */
export interface Departure {
  readonly draft: Draft;
  /** The signal or the error that ended it; undefined when the person left. */
  readonly reason: unknown;
}

/** A chat that is held until its person leaves it. */
export interface HeldChat extends ChatFace {
  run(): Promise<Departure>;
  /** Tells what went wrong beside the talk. */
  tellTrouble(error: unknown): void;
}

/** What a command of a chat has to do its work. */
export interface CommandJob {
  readonly setting: ChatSetting;
  readonly face: ChatFace;
  /** What was typed behind its name. */
  readonly rest: string;
  /** Aborted when the person stops it. */
  readonly signal: AbortSignal;
}

/** What becomes of the chat after a command. */
export type CommandEnd = "stay" | "leave";

/** A command that is typed into a chat, behind a slash. */
export interface ChatCommand {
  readonly name: string;
  /** What it takes, as help shows it; nothing when empty, optional in brackets. */
  readonly takes: string;
  /** Imperative, no full stop. */
  readonly summary: string;
  readonly run: (job: CommandJob) => Promise<CommandEnd>;
}

/** Runs a command; one that lacks what it takes, or takes nothing, is explained instead. */
export async function runChatCommand(command: ChatCommand, job: CommandJob): Promise<CommandEnd> {
  const { takes } = command;
  const isMissing = job.rest === "" && takes !== "" && !takes.startsWith("[");
  if (isMissing || (job.rest !== "" && takes === "")) throw badUse(command);
  return command.run(job);
}

/** Says how a command is used. */
function badUse({ name, takes, summary }: ChatCommand): AppError {
  const use = takes === "" ? `/${name}` : `/${name} ${takes}`;
  return usageError(
    "bad-chat-command",
    takes === "" ? `/${name} takes nothing behind it.` : `/${name} is used as ${use}.`,
    { hint: `${summary}: ${use}` },
  );
}

/** Answers with what is said on the outputs while `work` runs, also where it fails. */
export async function answerWith(
  { setting, face, signal }: CommandJob,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { style } = setting.context;
  const { said, context } = listen(setting.context, {
    columns: face.columns,
    style,
    errorStyle: style,
    catchSignals: () => signal,
    env: inSession(setting),
  });
  try {
    await work(context);
  } finally {
    if (said.out + said.talk !== "") face.answer(said.out + said.talk);
  }
}

/** Lends the terminal to `work`, which may ask there. */
export function askWith(
  { setting, face }: CommandJob,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const context: CommandContext = Object.create(setting.context, { env: { value: inSession(setting) } });
  return face.lendTerminal(() => work(context));
}

/** Says in the environment which session it is, as an agent does. */
function inSession({ context, chat }: CommandJob["setting"]): CommandContext["env"] {
  return { ...context.env, CARRYON_SESSION: chat.status.session };
}

/** What was said on the two outputs. */
interface Said {
  readonly out: string;
  readonly talk: string;
}

/** Makes a context without a terminal that remembers what is said. It inherits, because asking for the folder may fail. */
function listen(
  context: CommandContext,
  given: Partial<CommandContext> = {},
): { readonly said: Said; readonly context: CommandContext } {
  const said = { out: "", talk: "" };
  const plain = makeStyle({ colors: false });
  const own: Partial<CommandContext> = {
    isTerminal: { input: false, output: false, error: false },
    columns: undefined,
    rows: undefined,
    style: plain,
    errorStyle: plain,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.talk += text;
    },
    warn: (warning) => {
      said.talk += `${toPrintableLine(warning)}\n`;
    },
    drained: () => Promise.resolve(),
    ...given,
  };
  return { said, context: Object.create(context, Object.getOwnPropertyDescriptors(own)) };
}

/** More are not for choosing among. */
const sessionLimit = 50;

/** What could stand behind the name of a command. */
export interface Value {
  readonly value: string;
  readonly description: string;
}

/** Lists what a command could be given. */
export async function listValues(setting: ChatSetting, command: string): Promise<readonly Value[]> {
  if (command === "load" || command === "diff") return listSessions(setting);
  if (command === "export") return exportFormats.map((value) => ({ value: `${value} `, description: "" }));
  return [];
}

/** Lists the other sessions of this project, newest first. */
function listSessions({ context, chat }: ChatSetting): Promise<readonly Value[]> {
  return readHere(context, async ({ store, project }) => {
    if (project === undefined) return [];
    const query = { project: project.id, limit: sessionLimit, now: context.clock.now() };
    const { sessions } = await store.log.list(query);
    return sessions
      .filter(({ id }) => id !== chat.status.session)
      .map((session) => ({ value: session.id, description: describeTitle(session) }));
  });
}
