import { isTodo, type Task } from "../../digest/digest.ts";
import type { ReadDigests } from "../../digest/read-digests.ts";
import type { RecordSite } from "../../sessions/project-record.ts";
import type { Session } from "../../sessions/session.ts";
import { type Tasks, toTasks } from "../tasks.ts";

/** Where to look for a list. */
interface TodoSite {
  readonly site: Pick<RecordSite, "log" | "project">;
  readonly digests: ReadDigests;
}

/** A list that a client kept. */
export interface FoundTodos {
  readonly tasks: Tasks;
  /** When it was last changed. */
  readonly changedAt: Date;
}

/**
 * Returns the list that a client kept of its own work, as it was last; undefined where none was recorded or it is empty.
 *
 * It is that of a session, or null for none; of the newest one of the project on this machine unless given.
 */
export async function findTodos(
  { site: { log, project }, digests }: TodoSite,
  given?: Session | null,
): Promise<FoundTodos | undefined> {
  const newest = { project: project.id, newest: "here", limit: 1 } as const;
  const session = given === undefined ? (await log.list(newest)).sessions[0] : given;
  const digest = session ? (await digests([session])).get(session.id) : undefined;
  const todos = digest?.tasks.filter(isTodo).toSorted(byNumber) ?? [];
  if (todos.length === 0) return undefined;
  return { tasks: toTasks(todos), changedAt: new Date(Math.max(...todos.map(({ at }) => at))) };
}

/** Ids are numbers that rise; any other stands behind them, in the order in which it came. */
function byNumber(one: Task, other: Task): number {
  const difference = numberOf(one) - numberOf(other);
  return Number.isNaN(difference) ? 0 : difference;
}

function numberOf({ id }: Task): number {
  return Number(/ (\d+)$/.exec(id)?.[1] ?? Number.POSITIVE_INFINITY);
}
