import { readTodoChange } from "../../clients/claude-code/read-todos.ts";
import type { Todo, TodoChange } from "../../clients/todos.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Entry, Part, ToolResultPart } from "../../sessions/entry.ts";
import { mainStrand, type SessionId } from "../../sessions/ids.ts";
import { isMergedId } from "../../sessions/merged-id.ts";
import type { ProjectId } from "../../sessions/project.ts";
import type { Session } from "../../sessions/session.ts";
import { type Task, type Tasks, toTasks } from "../tasks.ts";

/** Where to look for a list: in a session, or in the newest one of a project on this machine. */
export interface TodoSite {
  readonly log: ConversationLog;
  readonly project: ProjectId;
  readonly session?: SessionId | undefined;
  /** The newest session, or null where there is none, if that is known. */
  readonly newest?: Session | null | undefined;
}

/** A list that a client kept. */
export interface FoundTodos {
  readonly tasks: Tasks;
  /** When it was last changed. */
  readonly changedAt: Date;
}

/** How many entries are read at once; how many from the end until a list is seen; and how many for the rest of it. */
const [pageSize, reach, fullReach] = [500, 2000, 20_000];

/**
 * Returns the list that a client kept of its own work, as it was last; undefined where none was recorded or it is empty.
 *
 * Reads backwards from the end, no further than it must. Lists of subagents are on other strands and do not count.
 */
export async function findTodos(site: TodoSite): Promise<FoundTodos | undefined> {
  const found = site.newest === undefined ? await findSession(site) : site.newest;
  const changes = found === null ? [] : await readChanges(site.log, found);
  const tasks = replayTodos(changes.map(({ change }) => change).toReversed());
  const [newest] = changes;
  if (newest === undefined || tasks.length === 0) return undefined;
  return { tasks: toTasks(tasks), changedAt: newest.at };
}

async function findSession({ log, project, session }: TodoSite): Promise<Session | null> {
  const query = session === undefined ? ({ project, newest: "here" } as const) : { id: session };
  const [found] = (await log.list({ ...query, limit: 1 })).sessions;
  return found ?? null;
}

/** What a call did to the list, and when its result came. */
interface DatedChange {
  readonly change: TodoChange;
  readonly at: Date;
}

type Results = Map<string, { readonly result: ToolResultPart; readonly at: Date }>;

/** Returns what was done to the list, newest first, back to where the whole of it is known. */
async function readChanges(
  log: ConversationLog,
  { id, entries }: Pick<Session, "id" | "entries">,
): Promise<readonly DatedChange[]> {
  const changes: DatedChange[] = [];
  const results: Results = new Map();
  for (let to = entries; to > 0; to -= pageSize) {
    if (entries - to >= (changes.length === 0 ? reach : fullReach)) break;
    const range = { from: Math.max(1, to - pageSize + 1), to, strand: mainStrand };
    const page = await Array.fromAsync(log.read(id, range));
    const found = page
      // The list of another session, which a merge has brought, is not this one's.
      .filter((entry) => !isMergedId(entry.id))
      .flatMap(partsOf)
      .toReversed()
      .flatMap(({ part, at }) => follow(part, at, results));
    const first = found.findIndex(({ change }) => beginsList(change));
    changes.push(...(first < 0 ? found : found.slice(0, first + 1)));
    if (first >= 0) break;
  }
  return changes;
}

/** Backwards, a result comes before its call. A call that was recorded twice counts once. */
function follow(part: Part, at: Date, results: Results): readonly DatedChange[] {
  if (part.type === "tool-result") results.set(part.call, { result: part, at });
  const found = part.type === "tool-call" ? results.get(part.call) : undefined;
  if (part.type !== "tool-call" || found === undefined) return [];
  results.delete(part.call);
  const change = readTodoChange({ call: part, result: found.result });
  return change === undefined ? [] : [{ change, at: found.at }];
}

function partsOf(entry: Entry): readonly { readonly part: Part; readonly at: Date }[] {
  return entry.kind === "message" ? entry.parts.map((part) => ({ part, at: entry.at })) : [];
}

/** Nothing before it matters: it tells the whole list, or it is the first of one. */
function beginsList(change: TodoChange): boolean {
  return change.type === "listed" || (change.type === "added" && change.todo.id === "1");
}

/**
 * Returns the list that changes have led to, oldest change first. A client that has begun to use another tool has begun
 * another list.
 */
function replayTodos(changes: readonly TodoChange[]): readonly Task[] {
  const by = changes.at(-1)?.by;
  const todos = new Map<string, Todo>();
  for (const change of changes) if (change.by === by) apply(change, todos);
  return [...todos.values()].sort(byNumber).flatMap(({ text, state }) => {
    return state === "gone" ? [] : [{ text, state }];
  });
}

function apply(change: TodoChange, todos: Map<string, Todo>): void {
  switch (change.type) {
    case "listed":
      todos.clear();
      for (const todo of change.todos) todos.set(todo.id, todo);
      return;
    case "added":
      todos.set(change.todo.id, change.todo);
      return;
    case "changed": {
      const { id, text, state } = change;
      // What was added before the first change that is known has no other name.
      const known = todos.get(id) ?? { id, text: `Task #${id}`, state: "open" };
      todos.set(id, { id, text: text ?? known.text, state: state ?? known.state });
    }
  }
}

/** Ids are numbers that rise; any other stands behind them, in the order in which it came. */
function byNumber({ id: one }: Todo, { id: other }: Todo): number {
  const difference = toNumber(one) - toNumber(other);
  return Number.isNaN(difference) ? 0 : difference;
}

function toNumber(id: string): number {
  return /^\d+$/.test(id) ? Number(id) : Number.POSITIVE_INFINITY;
}
