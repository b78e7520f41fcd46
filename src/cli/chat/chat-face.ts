import type { Chat, Draft, Restored } from "../../chat/chat.ts";
import type { CommandContext } from "../command-context.ts";

/** A chat and where it is held. */
export interface ChatSetting {
  readonly context: CommandContext;
  readonly chat: Chat;
}

/** What a chat is shown on, as its commands see it. */
export interface ChatFace {
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
