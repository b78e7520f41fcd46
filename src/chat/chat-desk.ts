import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import type { Model } from "../model/model.ts";
import type { Usage } from "../sessions/entry.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { Replica } from "../sessions/replica.ts";
import type { WritableStore } from "../sessions/session-writer.ts";
import type { Toolbox } from "../tools/tool.ts";

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
