import { sha256 } from "../sessions/chain.ts";
import type { Entry, EntryContent } from "../sessions/entry.ts";
import { makeEntryId, parseSessionId, type SessionId } from "../sessions/ids.ts";
import { recordClient, type Session } from "../sessions/session.ts";
import type { Workspace } from "./workspace.ts";

/** Where something about a project is written down, and by whom. */
export type RecordSite = Pick<Workspace, "log" | "project" | "root" | "machine" | "clock" | "random">;

/** What a record is of. */
export interface RecordName {
  /** How the id of its session in the log begins. */
  readonly prefix: string;
  readonly title: string;
}

/** What another machine has written down. */
export interface OthersEntry {
  readonly entry: Entry;
  readonly machine: string;
}

/** What Carryon has written down of a project itself: a session of the log that is no session of work. */
export class ProjectRecord {
  readonly #site: RecordSite;
  readonly #name: RecordName;

  constructor(site: RecordSite, name: RecordName) {
    this.#site = site;
    this.#name = name;
  }

  /** Writes something down. When it returns, it is on disk. */
  async add(content: EntryContent): Promise<void> {
    const { log, project, root, machine, clock, random } = this.#site;
    const at = clock.now();
    const entry = { ...content, id: makeEntryId(at, random), at };
    const [known] = await this.#find("here");
    if (known !== undefined) {
      await log.append(known.id, [entry]);
      return;
    }
    const { prefix, title } = this.#name;
    const id = await this.#chooseId(`${prefix}${sha256(project.id).slice(0, 24)}`);
    const start = { id, project: project.id, client: recordClient, machine, cwd: root, startedAt: at };
    await log.open({ ...start, title: `${title} of ${project.name}` }, [entry]);
  }

  /** The record of another machine may be here already under the usual id; nobody writes into that but its owner. */
  async #chooseId(usual: string): Promise<SessionId> {
    const { log, clock, random } = this.#site;
    const id = parseSessionId(usual);
    if ((await log.list({ id })).sessions.length === 0) return id;
    return parseSessionId(`${usual}-${makeEntryId(clock.now(), random).slice(-12)}`);
  }

  /** Yields the newest entries that were written here, at most so many, oldest first; all of them unless told. */
  async *read(last?: number): AsyncGenerator<Entry> {
    const records = await this.#find("here");
    for (const { id } of last === undefined ? records.toReversed() : records.slice(0, 1))
      yield* this.#site.log.read(id, last === undefined ? {} : { from: -last });
  }

  /** Returns the newest entries that came from other machines, at most so many of each, oldest first. */
  async readOthers(last: number): Promise<readonly OthersEntry[]> {
    const found: OthersEntry[] = [];
    for (const { id, machine } of await this.#find("elsewhere"))
      for await (const entry of this.#site.log.read(id, { from: -last })) found.push({ entry, machine });
    return found.toSorted((one, other) => one.entry.at.getTime() - other.entry.at.getTime());
  }

  /** There may be several, when two projects have proved to be one. The newest comes first. */
  async #find(begun: "here" | "elsewhere"): Promise<readonly Session[]> {
    const { log, project } = this.#site;
    const { sessions } = await log.list({ project: project.id, client: recordClient, begun, limit: 200 });
    return sessions.filter(({ id }) => id.startsWith(this.#name.prefix));
  }
}
