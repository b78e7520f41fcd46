import type { Client } from "../clients/client.ts";
import { clientNamed, usualClient } from "../clients/registry.ts";
import { AppError, usageError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { isInside } from "../lib/resolve-inside.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { writeNative } from "../recording/write-native.ts";
import { type ConversationLog, listAll } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import { isRunDone, runDone } from "../sessions/run-done.ts";
import { recordClient, type Session } from "../sessions/session.ts";
import type { OpenProject } from "../workspace/open-project.ts";
import { type NativePlan, planNative, type ResumeAuthor, realpathOf } from "./plan-native.ts";
import { ownProgram, warnOfBranch } from "./resume-command.ts";

/** How a session is resumed: see `NativePlan` for what is to be known before. */
export type ResumePlan = NativePlan;

/** Where a session is resumed from: the project of the current folder, and its root. */
interface ResumePlace {
  readonly project: ProjectId | undefined;
  readonly root: string;
}

type Listing = Pick<ConversationLog, "list">;

/** The programs that can go on with a session of theirs. */
const resumable: readonly string[] = [usualClient.name, "carryon-chat", "carryon-run"];

/** Returns the sessions that some program can go on with, in a project or in all, newest first; with a limit only so many. */
export async function listResumable(
  log: Listing,
  { limit, ...query }: { readonly project?: ProjectId; readonly limit?: number; readonly now: Date },
): Promise<readonly Session[]> {
  const list = async (client: string) =>
    limit === undefined
      ? Array.fromAsync(listAll(log, { ...query, client }))
      : (await log.list({ ...query, client, limit })).sessions;
  return (await Promise.all(resumable.map(list)))
    .flat()
    .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())
    .slice(0, limit);
}

/** Plans how sessions are resumed from the current folder. */
export interface ResumePlanner {
  /** Throws where a session cannot be resumed, as far as that is known without looking at the client's files. */
  check(session: Session): Promise<void>;
  /** Throws where a session cannot be resumed. */
  plan(session: Session): Promise<ResumePlan>;
  /** Plans the newest session that can be resumed, `newest` first; where none can, throws why the newest cannot. */
  planNewest(newest: Session): Promise<ResumePlan>;
}

/** Makes a planner for a project that is open. The client is that of each session unless another one is named. */
export function makePlanner(caller: ResumeAuthor, here: OpenProject, named?: string): ResumePlanner {
  const { log } = here.store;
  const project = here.project?.id;
  const place = { project, root: here.root };
  const start = async (session: Session) => {
    const client = chooseClient(session, named);
    if (client === "carryon-run" && (await isRunDone(log, session))) throw runDone(session.id);
    return { session, client, cwd: await chooseFolder(log, session, place) };
  };
  const plan = async (session: Session): Promise<ResumePlan> => {
    const { client, cwd } = await start(session);
    const planned =
      typeof client === "string"
        ? {
            title: "Carryon",
            command: { cwd, program: ownProgram, args: [...words[client], session.id] },
            cautions: [],
            others: [],
          }
        : await planNative(caller, here.store, { session, client, cwd });
    const elsewhere = await warnOfFolder(session, planned.command.cwd, place);
    return {
      ...planned,
      cautions: [...planned.cautions, ...elsewhere, ...(await warnOfBranch(session, planned.command))],
    };
  };
  return {
    check: async (session) => void (await start(session)),
    plan,
    planNewest: async (newest) => {
      const page = { limit: candidates, now: caller.clock.now() };
      const sessions = await listResumable(log, { ...(project && { project }), ...page });
      return planFirst([newest, ...sessions.filter(({ id }) => id !== newest.id)], plan);
    },
  };
}

/** How a session is resumed; `write` gives the client what it lacks of it. */
export interface WritableResume extends ResumePlan {
  write(): Promise<void>;
}

/** Who resumes a session in a program of their own; clock and random source are the system's unless given. */
export type ResumingAuthor = Pick<ResumeAuthor, "env" | "userHome" | "machine"> & Partial<ResumeAuthor>;

/** Plans how one session is resumed, for a program that has opened its project. */
export async function planResume(
  { clock = systemClock, random = systemRandom, ...author }: ResumingAuthor,
  here: OpenProject,
  session: Session,
  client?: string,
): Promise<WritableResume> {
  const env = { ...author.env, CARRYON_HOME: here.home };
  const plan = await makePlanner({ ...author, env, clock, random }, here, client).plan(session);
  const write = async () => plan.gift && writeNative(here.store, plan.gift, here.home);
  return { ...plan, write };
}

/** A session of ours: the store has all of it. Whether somebody is in it already, the lease decides. */
const words = {
  "carryon-chat": ["chat", "--session"],
  "carryon-run": ["run", "--resume", "--session"],
} as const;

/** Returns the client that goes on with a session: its own where that is known, else the usual one. */
function chooseClient({ id, client }: Session, named: string | undefined): Client | keyof typeof words {
  if (client === recordClient) {
    throw usageError("not-resumable", `${id} is the record of a project's documents, and no session.`, {
      hint: "List the sessions with `carryon sessions`.",
    });
  }
  if (named === undefined && (client === "carryon-chat" || client === "carryon-run")) return client;
  return clientNamed(named ?? client) ?? usualClient;
}

/** Older ones can be named. */
const candidates = 20;

async function planFirst(
  sessions: readonly Session[],
  plan: (session: Session) => Promise<ResumePlan>,
): Promise<ResumePlan> {
  const outcomes: (ResumePlan | AppError)[] = [];
  for (const session of sessions) {
    const outcome = await plan(session).catch(asRefusal);
    if (!(outcome instanceof AppError)) return addCaution(outcome, outcomes[0]);
    outcomes.push(outcome);
  }
  throw outcomes[0];
}

function addCaution({ cautions, ...plan }: ResumePlan, passedOver: unknown): ResumePlan {
  const told = passedOver instanceof AppError ? [`A newer one cannot be resumed. ${passedOver.message}`] : [];
  return { ...plan, cautions: [...told, ...cautions] };
}

/** What is wrong with one session is a reason to look at another; anything else is not. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.kind === "usage") return error;
  throw error;
}

/** Returns the folder in which the session was, or where its project is now; a folder of another machine says nothing here. */
export async function chooseFolder(
  log: Listing,
  session: Session,
  { project, root }: Pick<ResumePlace, "project" | "root">,
): Promise<string> {
  if (session.project === project && (await isFromElsewhere(log, session))) return root;
  if ((await realpathOf(session.cwd)) !== undefined) return session.cwd;
  if (session.project === project) return root;
  throw usageError("folder-gone", `The folder of session ${session.id} is gone: ${session.cwd}`, {
    hint: `Change to where its project is now. If it is not recognised there: \`carryon relink ${renderShellWord(session.cwd)}\``,
  });
}

/** Says in a sentence that a session goes on in another clone or work tree of its project, and how to go on in this one. */
async function warnOfFolder(
  { id, project }: Session,
  cwd: string,
  { project: here, root }: ResumePlace,
): Promise<readonly string[]> {
  const [folder = cwd, top = root] = await Promise.all([cwd, root].map(realpathOf));
  if (project !== here || isInside(top, folder)) return [];
  return [
    `Session ${id} goes on in ${cwd}, where it was, and not in ${root}. To go on here, fork it: \`carryon fork ${id} --resume\``,
  ];
}

/** The name of a machine says less: it may have changed. */
async function isFromElsewhere(log: Listing, { id }: Session): Promise<boolean> {
  return (await log.list({ id, begun: "elsewhere" })).sessions.length > 0;
}
