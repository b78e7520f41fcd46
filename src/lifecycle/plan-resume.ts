import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { findLiveProcess } from "../clients/claude-code/live-sessions.ts";
import { findTranscripts, makeSlug } from "../clients/claude-code/locate.ts";
import { locateClient } from "../clients/claude-code/locate-client.ts";
import { AppError, usageError } from "../lib/app-error.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { readClientFolders } from "../recording/client-folders.ts";
import type { TranscriptTarget } from "../recording/write-transcript.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import { listAll } from "../sessions/list-all.ts";
import type { ProjectId } from "../sessions/project.ts";
import { isRunDone, runDone } from "../sessions/run-done.ts";
import type { Client, Session } from "../sessions/session.ts";
import type { Caller } from "../workspace/caller.ts";
import { locateHome } from "../workspace/locate-home.ts";
import type { OpenProject } from "../workspace/open-project.ts";
import { findNative, type Native } from "./find-native.ts";
import { ownProgram, type ResumeCommand, renderResume, warnOfBranch } from "./resume-command.ts";

/** How a session is resumed. */
export interface ResumePlan {
  readonly command: ResumeCommand;
  /** What to know before it is run, in sentences. */
  readonly cautions: readonly string[];
  /** Who is in the session already, in sentences; nobody, as far as is known, when there are none. */
  readonly others: readonly string[];
  /** What the client has to be given first: it has no transcript of the session. */
  readonly missing?: MissingTranscript;
}

/** A transcript that is to be written from the store: see `writeTranscript`. */
interface MissingTranscript {
  readonly session: Session;
  readonly target: TranscriptTarget;
}

/** Where a session is to be resumed from. */
export interface ResumePlace {
  /** The client's folders, that of now first: see `readClientFolders`. */
  readonly clients: readonly [current: string, ...others: string[]];
  /** The folder that the client uses unless it is told: see `locateClient`. */
  readonly usual: string;
  /** The name of this machine. */
  readonly machine: string;
  /** The project of the current folder, and its root. */
  readonly project: ProjectId | undefined;
  readonly root: string;
}

type Listing = Pick<ConversationLog, "list">;

/** The programs that can go on with a session of theirs. */
const resumable: readonly Client[] = ["claude-code", "carryon-chat", "carryon-run"];

/** Returns the sessions that some program can go on with, in a project or in all, newest first; with a limit only so many. */
export async function listResumable(
  log: Listing,
  { limit, ...query }: { readonly project?: ProjectId; readonly limit?: number; readonly now: Date },
): Promise<readonly Session[]> {
  const list = async (client: Client) =>
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
  /** Throws where a session cannot be resumed. */
  plan(session: Session): Promise<ResumePlan>;
  /** Plans the newest session that can be resumed, `newest` first; where none can, throws why the newest cannot. */
  planNewest(newest: Session): Promise<ResumePlan>;
}

/** Makes a planner for a project that is open; where the client's folders are is looked up once. */
export async function makePlanner(context: Caller, here: OpenProject): Promise<ResumePlanner> {
  const { env, userHome, machine, clock } = context;
  const { log } = here.store;
  const usual = locateClient(userHome, undefined);
  const current = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
  const [, ...others] = await readClientFolders(locateHome(env, userHome), current);
  const clients = [current, ...others] as const;
  const project = here.project?.id;
  const place = { usual, machine, clients, project, root: here.root };
  const plan = async (session: Session) => {
    const { cautions, ...planned } = await planResume(log, session, place);
    return { ...planned, cautions: [...cautions, ...(await warnOfBranch(session, planned.command))] };
  };
  return {
    plan,
    planNewest: async (newest) => {
      const page = { limit: candidates, now: clock.now() };
      const sessions = await listResumable(log, { ...(project && { project }), ...page });
      return planFirst([newest, ...sessions.filter(({ id }) => id !== newest.id)], plan);
    },
  };
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

/** Returns the command with which the client of a session goes on in it; throws where there is none. */
async function planResume(log: ConversationLog, session: Session, place: ResumePlace): Promise<ResumePlan> {
  if (session.client === "carryon-chat") return planOwn(log, session, place, ["chat", "--session"]);
  if (session.client === "carryon-run") return planRun(log, session, place);
  const native = await findNative(log, session);
  const cwd = await chooseFolder(log, native.session, place);
  const found = await locateTranscript(native, cwd, place);
  if (found === undefined) return planWritten(session, native, cwd, place);
  if ((await stat(found.path)).size === 0) throw emptyTranscript(session, found.path);
  const fork = native.session === session ? [] : ["--fork-session"];
  const command: ResumeCommand = {
    ...{ cwd, program: "claude", args: [`--resume=${native.id}`, ...fork] },
    ...(await chooseConfig(found.client, place)),
  };
  if (native.session !== session && !native.isWhole) throw partsElsewhere(session, command);
  const others = fork.length > 0 ? [] : await warnOfOthers(native, place, command);
  const forked = `Claude Code does not know session ${session.id}, which was forked here. It makes a fork of its own of session ${native.id}, which has the same messages.`;
  return {
    command,
    cautions: [...(fork.length > 0 ? [forked] : []), ...warnOfPath(found, cwd)],
    others,
  };
}

/** A session of ours: the store has all of it. Whether somebody is in it already, the lease decides. */
async function planOwn(
  log: Listing,
  session: Session,
  place: ResumePlace,
  words: readonly string[],
): Promise<ResumePlan> {
  const cwd = await chooseFolder(log, session, place);
  const command = { cwd, program: ownProgram, args: [...words, session.id] };
  return { command, cautions: [], others: [] };
}

/** A run that is done goes on only with something further to do, which nobody has said. */
async function planRun(log: ConversationLog, session: Session, place: ResumePlace): Promise<ResumePlan> {
  if (await isRunDone(log, session)) throw runDone(session.id);
  return planOwn(log, session, place, ["run", "--resume", "--session"]);
}

/** A transcript, where the client would look for it, and the client's folder that both are in. */
interface Located {
  readonly client: string;
  readonly path: string;
  readonly expected: string;
}

/** Finds the transcript of a session in any folder of the client; best where a client in its folder looks. */
async function locateTranscript(
  { id }: Native,
  cwd: string,
  { clients }: ResumePlace,
): Promise<Located | undefined> {
  const slug = makeSlug(await realpath(cwd));
  const found: Located[] = [];
  for (const client of clients) {
    const expected = join(client, "projects", slug, `${id}.jsonl`);
    for (const path of await findTranscripts(client, id)) found.push({ client, path, expected });
  }
  return found.find(({ path, expected }) => path === expected) ?? found[0];
}

/** The client has deleted its transcript or never had one: the store has what was said. */
async function planWritten(
  session: Session,
  native: Native,
  cwd: string,
  { clients: [client] }: ResumePlace,
): Promise<ResumePlan> {
  if (native.session !== session || !uuid.test(native.id)) throw noTranscript(session);
  const { id } = native;
  return {
    command: { cwd, program: "claude", args: [`--resume=${id}`] },
    cautions: [],
    others: [],
    missing: { session, target: { client, cwd: await realpath(cwd), id } },
  };
}

/** The client takes nothing else for the id of a session. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tells the client which folder is meant where it would use another. */
async function chooseConfig(
  client: string,
  { clients: [current], usual }: ResumePlace,
): Promise<Pick<ResumeCommand, "config">> {
  const [wanted, now, default_] = await Promise.all([client, current, usual].map(realpathOf));
  if (wanted === now) return {};
  // Not by name: the client keeps more than its folder in the user's home only where it was told nothing.
  return { config: wanted === default_ ? null : client };
}

function warnOfPath({ path, expected }: Located, cwd: string): readonly string[] {
  if (path === expected) return [];
  // Newer versions look everywhere; which one is installed is not ours to ask.
  return [
    `Older versions of Claude Code do not find the session from ${cwd}. If yours says so, copy ${renderShellWord(path)} to ${renderShellWord(expected)}`,
  ];
}

function emptyTranscript({ id }: Session, path: string): AppError {
  return usageError("no-transcript", `The transcript of session ${id} is empty: ${path}`, {
    hint: "Move the file away and repeat the command: the session is then written from the store.",
  });
}

function noTranscript({ id }: Session): AppError {
  return usageError(
    "no-transcript",
    `Claude Code has no transcript of session ${id}, and cannot be given one.`,
    {
      hint: `Go on in a new session that is told where the work stands: \`carryon resume ${id} --brief\`. What was said is in \`carryon show ${id}\``,
    },
  );
}

function partsElsewhere(session: Session, command: ResumeCommand): AppError {
  return usageError(
    "not-resumable",
    `Session ${session.id} was forked here, and Claude Code does not know it: it only has the session that it was forked from, which has other messages.`,
    {
      hint: `To go on from the end of that one, in a new session: \`${renderResume(command)}\`. To go on with the fork: \`carryon chat --session ${session.id}\``,
    },
  );
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
    hint: "Change to where its project is now. If that is not recognised, tell so there with `carryon relink`.",
  });
}

/** The name of a machine says less: it may have changed. */
async function isFromElsewhere(log: Listing, { id }: Session): Promise<boolean> {
  return (await log.list({ id, begun: "elsewhere" })).sessions.length > 0;
}

function realpathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Returns who else is in a session that is to be resumed, as far as it is known, in sentences. */
async function warnOfOthers(
  { id, session }: Native,
  { clients, machine }: ResumePlace,
  command: ResumeCommand,
): Promise<readonly string[]> {
  const holder = await findLiveProcess(clients, id);
  const where =
    holder === undefined
      ? session.status === "open" && session.machine !== machine
        ? `was open on ${session.machine} when it was last recorded`
        : undefined
      : `${holder.liveness === "alive" ? "is" : "may be"} open in Claude Code, process ${holder.pid}`;
  if (where === undefined) return [];
  const fork = renderResume({ ...command, args: [...command.args, "--fork-session"] });
  return [
    `Session ${session.id} ${where}. Two clients in one session do not see what the other does: close it there first, or go on in a fork with \`${fork}\``,
  ];
}
