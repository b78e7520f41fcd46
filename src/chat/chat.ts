import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import type { Model, ReplyEnd, ReplyEvent } from "../model/model.ts";
import type { Entry, JsonObject, MessageContent, ToolCallPart, Usage } from "../sessions/entry.ts";
import type { EntryId, SessionId } from "../sessions/ids.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { Replica } from "../sessions/replica.ts";
import type { WritableStore } from "../sessions/session-writer.ts";
import type { OutputListener, Toolbox, ToolOutcome } from "../tools/tool.ts";

/** What happens during a turn, in order. What is told as saved is on disk. */
export type ChatEvent =
  | { readonly type: "prompt-saved"; readonly entry: EntryId }
  /** As the model tells it while it replies. */
  | ReplyEvent
  /** The older messages have been replaced by a summary, for the model only. */
  | { readonly type: "compacted"; readonly summary: string; readonly messages: number }
  /** One reply of the model, whole; with calls, more follows. It may have ended because of a limit of tokens, or refused. */
  | {
      readonly type: "reply-saved";
      readonly entry: EntryId;
      readonly message: MessageContent;
      readonly end: ReplyEnd;
    }
  | { readonly type: "tool-started"; readonly call: ToolCallPart; readonly description: string }
  | { readonly type: "tool-saved"; readonly call: ToolCallPart; readonly outcome: ToolOutcome }
  /** The person stopped the reply, or the connection was lost; what had come of it is saved and marked so. */
  | {
      readonly type: "interrupted";
      readonly reason: "stopped" | "lost";
      readonly entry: EntryId | undefined;
    }
  /** The turn took as many replies as one may, and waits: whatever is said next goes on with it. */
  | { readonly type: "paused"; readonly steps: number };

/** What a person says of a call that writes or runs something. */
export type Approval = "yes" | "always" | "no";

/** A call that waits for approval. */
export interface AskedCall {
  readonly call: ToolCallPart;
  readonly description: string;
  readonly preview: string | undefined;
}

export interface TurnOptions {
  /** Stops the reply, or the tool that runs; the turn ends with `interrupted`. */
  readonly signal: AbortSignal;
  readonly approve: (asked: AskedCall) => Promise<Approval>;
  /** Hears what the command that runs prints, as it comes; its result has it too, when it is saved. */
  readonly onOutput?: OutputListener | undefined;
}

/** What is not yet a message: saved from time to time, and given back at the next start. */
export interface Draft {
  /** The line that was being typed. */
  readonly input: string;
}

/** What was there when a chat was opened or switched to. */
export interface Restored {
  /** Messages since the last reset, those that a summary replaced included; 0 in a new session. */
  readonly messages: number;
  readonly summary: string | undefined;
  readonly draft: Draft | undefined;
  /** The model of the session before, where it was another one. */
  readonly modelBefore: string | undefined;
  /** How many calls a crash had left without a result; each has been answered with one that says so. */
  readonly repaired: number;
  /** Whether a reply that was cut off by a crash has been kept from the last save. */
  readonly partial: boolean;
  /**
   * What the session file has brought: a session that was not here (`added`), more of one (`extended`), nothing that was not
   * here (`known`), or a session that went another way (`parted`), of which a copy stands beside the one that is here.
   */
  readonly file:
    | { readonly type: "added" | "extended" | "known" | "parted"; readonly more: number }
    | undefined;
}

/** What a chat shows of itself at any moment. */
export interface ChatStatus {
  readonly session: SessionId;
  readonly title: string;
  readonly model: string;
  /** Messages since the last reset. */
  readonly messages: number;
  /** How much of the model's context the next request takes, about; and how much there is. */
  readonly contextTokens: number;
  readonly contextLimit: number;
  /** What all replies of this process have used. */
  readonly usage: Usage;
}

/**
 * A conversation with a model that is saved as it happens.
 *
 * Each message is on disk before it is told as saved. One process holds a session at a time; `load` and `fork` change to
 * another one and give the first back.
 */
export interface Chat extends AsyncDisposable {
  readonly status: ChatStatus;
  /** What was found when the current session was opened. */
  readonly restored: Restored;
  /** Returns the entries since the last reset, newest last; at most as many as asked for. */
  recent(limit: number): readonly Entry[];
  /** Says something to the model and tells what happens until it has nothing more to do. One turn at a time. */
  say(text: string, options: TurnOptions): AsyncIterable<ChatEvent>;
  /** Saves what is not yet a message, and a checkpoint. Costs nothing when nothing has changed since. */
  save(draft: Draft): Promise<void>;
  /** Begins a new stretch: the model no longer sees what was before, which stays in the log. */
  reset(draft: Draft): Promise<void>;
  /** Changes to another session, after saving this one; when that cannot be had, this one stays. */
  load(session: SessionId, draft: Draft): Promise<Restored>;
  /** Makes a session that shares this one up to an entry, by its number, and changes to it. */
  fork(at: number | undefined, draft: Draft): Promise<SessionId>;
  rename(title: string): Promise<void>;
  /** Talks to another model from now on. */
  useModel(name: string): Promise<void>;
  /** Replaces the older messages, for the model only, by a summary that it writes; undefined where there is too little. */
  compact(signal: AbortSignal): Promise<string | undefined>;
  /** Saves for the last time and gives the session back; `ended` unless a signal ended it. */
  end(draft: Draft, how: "ended" | "interrupted"): Promise<void>;
}

/** What the log keeps of a draft. */
export type DraftData = JsonObject & { readonly input: string; readonly reply: string };

/** Where the work stands when something is saved. */
export interface WorkPlace {
  readonly branch: string | null;
  readonly commit: string | null;
}

/** What all sessions of a chat work with. */
export interface ChatDesk {
  readonly store: WritableStore & { readonly replica: Replica };
  readonly project: ProjectId;
  /** The folder that the work is done in. */
  readonly cwd: string;
  readonly machine: string;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** How long a session stays held when this machine falls silent; as for every writer unless given. */
  readonly leaseMs?: number;
  /** The version of the program, for the record. */
  readonly version: string;
  readonly place: () => Promise<WorkPlace>;
  /** Undefined where the model has no tools. */
  readonly toolbox: Toolbox | undefined;
  readonly openModel: (name: string) => Promise<Model>;
  readonly system: string;
  /** Where what was said is written when the store goes away, the best first; nowhere unless given. */
  readonly rescueFolders?: readonly string[];
  /** How many tokens the model may think; it does not think unless given. */
  readonly thinkingTokens?: number;
  /** The most tokens of one reply; the model's own limit unless given. */
  readonly maxTokens?: number;
}

/** What changes while a chat goes on, whatever session it is in. */
export interface ChatState {
  model: Model;
  /** What all replies of this process have used. */
  usage: Usage;
  /** The tools of which the person has said that they need not be asked for again. */
  readonly approved: Set<string>;
}
