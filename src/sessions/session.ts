import type { EntryId, SessionId } from "./ids.ts";
import type { Holder } from "./lease.ts";
import type { ProjectId } from "./project.ts";

/** The program that a session is of: `claude-code`, `carryon-chat`, or any other that recorded or will resume it. */
export type ClientName = string;

/** The names under which Carryon records sessions of its own. */
export const ownClients: readonly ClientName[] = [
  "carryon-append",
  "carryon-chat",
  "carryon-handover",
  "carryon-run",
];

/** The client of the record that Carryon keeps of a project's documents; nobody worked in it, so that it is not listed among sessions. */
export const recordClient: ClientName = "carryon-handover";

export type SessionStatus = "open" | "ended" | "interrupted";

/** Where a fork parts from its origin: everything up to and with that entry is shared. */
export interface ForkPoint {
  readonly session: SessionId;
  readonly entry: EntryId;
}

/** One stretch of work with an agent. */
export interface Session {
  readonly id: SessionId;
  readonly project: ProjectId;
  readonly projectName: string;
  readonly client: ClientName;
  readonly clientSessionId: string | null;
  readonly title: string;
  readonly cwd: string;
  readonly branch: string | null;
  readonly machine: string;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
  /** One that a process held when it died is interrupted. */
  readonly status: SessionStatus;
  /** The process that writes it now, under a lease. */
  readonly writer: Holder | null;
  readonly forkedFrom: ForkPoint | null;
  readonly tags: readonly string[];
  /** How many entries it has, those shared with its origin included. */
  readonly entries: number;
  readonly messages: number;
  /** The hash of the last entry, in hex: kept elsewhere, it makes tampering evident. Null before the first. */
  readonly head: string | null;
}

export interface NewSession {
  readonly id: SessionId;
  readonly project: ProjectId;
  readonly client: ClientName;
  readonly clientSessionId?: string;
  readonly title?: string;
  readonly cwd: string;
  readonly branch?: string | null;
  readonly machine: string;
  readonly startedAt: Date;
}

/** What a fork is to be; client, project and title are its origin's unless a title is given. */
export interface NewFork {
  readonly id: SessionId;
  readonly from: SessionId;
  readonly clientSessionId?: string;
  /** The last entry that is shared; the origin's newest unless given. */
  readonly at?: EntryId;
  readonly title?: string;
  readonly cwd: string;
  readonly branch?: string | null;
  readonly machine: string;
  readonly startedAt: Date;
}
