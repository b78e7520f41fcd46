import { type AppError, ioError } from "../../lib/app-error.ts";
import { SessionChanged } from "../../sessions/errors.ts";
import { ChainFollower } from "../../sessions/follow-chain.ts";
import type { LinkedEntry, Replica, ReplicaSession } from "../../sessions/replica.ts";
import { importLimits } from "../limits.ts";
import { documentFormat, formatVersion, lineFormat } from "./wire.ts";

/** Who exports, and when. */
export interface ExportStamp {
  readonly machine: string;
  readonly exportedAt: Date;
  /** Is told of each entry whose line is longer than an import takes. */
  readonly onTooLong?: ((session: string, seq: number) => void) | undefined;
}

/** Yields the lines of an export: of each session its header, its entries and its head. */
export async function* renderLines(
  replica: Replica,
  sessions: readonly ReplicaSession[],
  { machine, exportedAt, onTooLong }: ExportStamp,
): AsyncGenerator<string> {
  for (const [index, session] of sessions.entries()) {
    const part = { number: index + 1, of: sessions.length };
    const stamp = { exportedAt: exportedAt.toISOString(), machine, part };
    yield `${JSON.stringify({ format: lineFormat, version: formatVersion, ...stamp, session: toWire(session) })}\n`;
    for await (const batch of readProved(replica, session))
      yield batch
        .map((entry) => {
          const line = renderEntry(entry);
          if (Buffer.byteLength(line) > importLimits.lineBytes) onTooLong?.(session.id, entry.seq);
          return `${line}\n`;
        })
        .join("");
    yield `${JSON.stringify({ head: session.head, entries: session.entries })}\n`;
  }
}

/** Yields the same as one JSON document, an entry a line. */
export async function* renderDocument(
  replica: Replica,
  sessions: readonly ReplicaSession[],
  { machine, exportedAt }: ExportStamp,
): AsyncGenerator<string> {
  const head = {
    format: documentFormat,
    version: formatVersion,
    exportedAt: exportedAt.toISOString(),
    machine,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"sessions":[`;
  for (const [index, session] of sessions.entries()) {
    yield `${index === 0 ? "" : ","}\n{"session":${JSON.stringify(toWire(session))},"entries":[`;
    let separator = "\n";
    for await (const batch of readProved(replica, session)) {
      yield `${separator}${batch.map(renderEntry).join(",\n")}`;
      separator = ",\n";
    }
    yield `\n],"head":${JSON.stringify(session.head)}}`;
  }
  yield "\n]}\n";
}

/** Reads a session as far as it went when it was looked at, and proves each hash: a damaged one is not passed on. */
async function* readProved(
  replica: Replica,
  { id, entries, head }: ReplicaSession,
): AsyncGenerator<readonly LinkedEntry[]> {
  const follower = new ChainFollower();
  for await (const batch of replica.read(id, { to: entries })) {
    for (const entry of batch) {
      const problem = follower.take(entry);
      if (problem !== undefined) throw damaged(id, `entry ${entry.seq}: ${problem}`);
    }
    yield batch;
  }
  if (follower.head !== head) throw damaged(id, "its last entry is not the one that it says");
  // A scrub replaced a body after the session was looked at, so that its note comes later than what is exported.
  if (follower.findUnnoted() !== undefined) throw new SessionChanged(id);
}

function damaged(session: string, reason: string): AppError {
  return ioError(
    "export-damaged",
    `Session ${session} cannot be exported, because it is damaged: ${reason}.`,
    { hint: `See \`carryon verify ${session}\`; a backup may still have it whole.` },
  );
}

function toWire(session: ReplicaSession): object {
  const { id, project, client, clientSessionId, title, cwd, branch, machine, startedAt, forkedFrom } =
    session;
  return {
    ...{ id, project: { id: project.id, name: project.name }, client, clientSessionId, title, cwd, branch },
    ...{ machine, startedAt: startedAt.toISOString() },
    forkedFrom:
      forkedFrom === null
        ? null
        : { session: forkedFrom.session, entry: forkedFrom.entry, seq: forkedFrom.seq },
  };
}

/** Renders an entry with its body as it is stored: the very text that its hash covers. */
function renderEntry(entry: LinkedEntry): string {
  const { seq, id, parent, strand, kind, at, hash, body, scrubbedFrom } = entry;
  const replaced = scrubbedFrom === null ? {} : { scrubbedFrom };
  const envelope = { seq, id, parent, strand, kind, at: at.toISOString(), hash, ...replaced };
  return `${JSON.stringify(envelope).slice(0, -1)},"body":${body}}`;
}
