import { AppError, usageError } from "../../lib/app-error.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { SessionNotFound } from "../../sessions/errors.ts";
import { findSession } from "../../sessions/find-session.ts";
import type { Project } from "../../sessions/project.ts";
import type { SearchPage, SearchRequest } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import type { Call } from "../call.ts";

/** What was recorded in the project of the working directory. */
export interface ProjectRecord {
  readonly log: ConversationLog;
  /** Finds entries of this project. */
  readonly search: (request: SearchRequest) => Promise<SearchPage>;
  readonly project: Project;
  readonly now: Date;
  /** What is to be said of the taking in of what is new. */
  readonly talk: string;
}

/** Takes in what is new, and opens the record of this project while `work` reads it. */
export async function readRecord<Result>(
  call: Call,
  work: (record: ProjectRecord) => Promise<Result>,
): Promise<Result> {
  // A client waits for the server to start, and may never ask for this.
  const [{ catchUp }, { readHere }] = await Promise.all([
    import("../../lifecycle/catch-up.ts"),
    import("../../workspace/open-here.ts"),
  ]);
  const { caller } = call;
  await catchUp(caller);
  return readHere(caller, async ({ project, store }) => {
    if (project === undefined) throw new NothingRecorded();
    const now = caller.clock.now();
    const search = async (request: SearchRequest) => {
      await store.search.catchUp();
      const { searchIn } = await import("../../memory/digest-lines.ts");
      return searchIn(store, project.id, now)(request);
    };
    return work({ log: store.log, search, project, now, talk: call.remarks });
  });
}

/** Does the same; undefined where nothing was ever recorded. */
export async function readRecordIfAny<Result>(
  call: Call,
  work: (record: ProjectRecord) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await readRecord(call, work);
  } catch (error) {
    if (error instanceof NothingRecorded || (error instanceof AppError && error.code === "no-store"))
      return undefined;
    throw error;
  }
}

/** Finds a session of this project by its id, the beginning of one, its title or `latest`. Those of others are not known here. */
export async function findOwn({ log, project, now }: ProjectRecord, text: string): Promise<Session> {
  const own: Pick<ConversationLog, "list"> = { list: (query) => log.list({ ...query, project: project.id }) };
  try {
    return await findSession(own, text, { project: project.id, now });
  } catch (error) {
    if (!(error instanceof SessionNotFound)) throw error;
    throw usageError(
      error.code,
      `There is no session ${JSON.stringify(text.slice(0, 80))} in this project.`,
      {
        hint: "List the sessions with session_list. Those of other projects are not served here.",
        cause: error,
      },
    );
  }
}

/** The store has never seen this project. */
class NothingRecorded extends AppError {
  constructor() {
    super("Nothing was recorded in this project.", {
      kind: "usage",
      code: "session-not-found",
      hint: "`carryon init` records Claude Code from now on; `carryon import claude-code` takes in what it has kept.",
    });
  }
}
