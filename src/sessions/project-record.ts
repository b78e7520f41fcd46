import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import { sha256 } from "./chain.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Entry, EntryContent } from "./entry.ts";
import { makeEntryId, parseSessionId, type SessionId } from "./ids.ts";
import type { Project } from "./project.ts";
import { recordClient, type Session } from "./session.ts";

/** Where something about a project is written down, and by whom. */
export interface RecordSite {
  readonly log: ConversationLog;
  readonly project: Project;
  readonly root: string;
  /** The name of this machine. */
  readonly machine: string;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** What Carryon has written down of a project itself: a session of the log that is no session of work. */
export interface ProjectRecord {
  readonly site: RecordSite;
  /** How the id of its session in the log begins. */
  readonly prefix: string;
  readonly title: string;
}

/** What another machine has written down. */
export interface OthersEntry {
  readonly entry: Entry;
  readonly machine: string;
}

/** Writes something down. When it returns, it is on disk. */
export async function addToRecord(record: ProjectRecord, content: EntryContent): Promise<void> {
  const { log, project, root, machine, clock, random } = record.site;
  const at = clock.now();
  const entry = { ...content, id: makeEntryId(at, random), at };
  const [known] = await findRecords(record, "here");
  if (known !== undefined) {
    await log.append(known.id, [entry]);
    return;
  }
  const id = await chooseId(record.site, `${record.prefix}${sha256(project.id).slice(0, 24)}`);
  const start = { id, project: project.id, client: recordClient, machine, cwd: root, startedAt: at };
  await log.open({ ...start, title: `${record.title} of ${project.name}` }, [entry]);
}

/** The record of another machine may be here already under the usual id; nobody writes into that but its owner. */
async function chooseId({ log, clock, random }: RecordSite, usual: string): Promise<SessionId> {
  const id = parseSessionId(usual);
  if ((await log.list({ id })).sessions.length === 0) return id;
  return parseSessionId(`${usual}-${makeEntryId(clock.now(), random).slice(-12)}`);
}

/** Yields the newest entries that were written here, at most so many, oldest first; all of them unless told. */
export async function* readRecord(record: ProjectRecord, last?: number): AsyncGenerator<Entry> {
  const { log } = record.site;
  const records = await findRecords(record, "here");
  for (const { id } of last === undefined ? records.toReversed() : records.slice(0, 1))
    yield* log.read(id, last === undefined ? {} : { from: -last });
}

/** Returns the newest entries that came from other machines, at most so many of each, oldest first. */
export async function readOthersRecords(
  record: ProjectRecord,
  last: number,
): Promise<readonly OthersEntry[]> {
  const found: OthersEntry[] = [];
  for (const { id, machine } of await findRecords(record, "elsewhere"))
    for await (const entry of record.site.log.read(id, { from: -last })) found.push({ entry, machine });
  return found.toSorted((one, other) => one.entry.at.getTime() - other.entry.at.getTime());
}

/** There may be several, when two projects have proved to be one. The newest comes first. */
async function findRecords(
  { site: { log, project }, prefix }: ProjectRecord,
  begun: "here" | "elsewhere",
): Promise<readonly Session[]> {
  const { sessions } = await log.list({ project: project.id, client: recordClient, begun, limit: 200 });
  return sessions.filter(({ id }) => id.startsWith(prefix));
}
