import type { JsonObject } from "../sessions/entry.ts";
import type { Holder } from "../sessions/lease.ts";
import type { Session } from "../sessions/session.ts";

/** Returns a session in the form that every `--json` uses: docs/formats/cli-json.md. */
export function toSessionJson(session: Session): JsonObject {
  return {
    id: session.id,
    title: session.title,
    client: session.client,
    branch: session.branch,
    status: session.status,
    writer: session.writer === null ? null : toWriterJson(session.writer),
    messages: session.messages,
    entries: session.entries,
    updatedAt: session.updatedAt.toISOString(),
    startedAt: session.startedAt.toISOString(),
    endedAt: session.endedAt?.toISOString() ?? null,
    tags: session.tags,
    project: session.project,
    projectName: session.projectName,
    cwd: session.cwd,
    machine: session.machine,
    clientSessionId: session.clientSessionId,
    forkedFrom:
      session.forkedFrom === null
        ? null
        : { session: session.forkedFrom.session, entry: session.forkedFrom.entry },
    head: session.head,
  };
}

function toWriterJson({ program, process, since }: Holder): JsonObject {
  return { program, pid: process.pid, host: process.host, since: since.toISOString() };
}
