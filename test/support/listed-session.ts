import type { SessionId } from "../../src/sessions/ids.ts";
import type { ProjectId } from "../../src/sessions/project.ts";
import type { Session } from "../../src/sessions/session.ts";

/** The moment at which sessions are listed. */
export const listedAt = new Date("2026-11-15T12:00:00Z");

/** Returns the moment so many minutes before. */
export function minutesAgo(minutes: number): Date {
  return new Date(listedAt.getTime() - minutes * 60_000);
}

/** Makes a session as a list has it: one of Claude Code that was interrupted, unless told otherwise. */
export function listedSession(fields: Partial<Session> = {}): Session {
  return {
    ...{ id: "1feeca77-1111-4111-8111-111111111111" as SessionId, project: "p" as ProjectId },
    ...{ projectName: "shop", client: "claude-code", clientSessionId: "x", title: "Fix the login" },
    ...{
      cwd: "/shop",
      branch: "main",
      machine: "test-machine",
      startedAt: minutesAgo(300),
      updatedAt: minutesAgo(20),
    },
    ...{ endedAt: null, status: "interrupted", writer: null, forkedFrom: null, tags: [] },
    ...{ entries: 9, messages: 4, head: null },
    ...fields,
  };
}
