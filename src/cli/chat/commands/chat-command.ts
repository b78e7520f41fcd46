import { type AppError, usageError } from "../../../lib/app-error.ts";
import type { ChatFace, ChatSetting } from "../chat-face.ts";

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
