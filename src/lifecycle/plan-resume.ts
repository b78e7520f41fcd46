import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { findTranscripts, makeSlug } from "../clients/claude-code/locate.ts";
import { AppError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import { isRunDone, runDone } from "../sessions/run-done.ts";
import type { Session } from "../sessions/session.ts";
import { findNative, type Native } from "./find-native.ts";
import { ownProgram, type ResumeCommand, renderResume } from "./resume-command.ts";
import { warnOfOthers } from "./warn-of-others.ts";

/** How a session is resumed. */
export interface ResumePlan {
  readonly command: ResumeCommand;
  /** What to know before it is run, in sentences. */
  readonly cautions: readonly string[];
  /** Who is in the session already, in sentences; nobody, as far as is known, when there are none. */
  readonly others: readonly string[];
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

/** Returns the command with which the client of a session goes on in it; throws where there is none. */
export async function planResume(
  log: ConversationLog,
  session: Session,
  place: ResumePlace,
): Promise<ResumePlan> {
  if (session.client === "carryon-chat") return planOwn(log, session, place, ["chat", "--session"]);
  if (session.client === "carryon-run") return planRun(log, session, place);
  const native = await findNative(log, session);
  const cwd = await chooseFolder(log, native.session, place);
  const found = await locateTranscript(log, native, cwd, place);
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
  log: Listing,
  { id, session }: Native,
  cwd: string,
  { clients }: ResumePlace,
): Promise<Located> {
  const slug = makeSlug(await realpath(cwd));
  const found: Located[] = [];
  for (const client of clients) {
    const expected = join(client, "projects", slug, `${id}.jsonl`);
    for (const path of await findTranscripts(client, id)) found.push({ client, path, expected });
  }
  const best = found.find(({ path, expected }) => path === expected) ?? found[0];
  if (best !== undefined) return best;
  throw (await isFromElsewhere(log, session)) ? ofOtherMachine(session) : noTranscript(session, cwd);
}

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

function noTranscript({ id, messages }: Session, cwd: string): AppError {
  // Only hooks have seen it.
  if (messages === 0) {
    return new AppError(
      `Claude Code was stopped before it wrote anything of session ${id} to disk, and does not know it.`,
      {
        ...{ kind: "usage", code: "no-transcript" },
        hint: `What was asked is in \`carryon show ${id}\`; ask it again in a new session: \`cd ${renderShellWord(cwd)} && claude\``,
      },
    );
  }
  return new AppError(`Claude Code has no transcript of session ${id}.`, {
    ...{ kind: "usage", code: "no-transcript" },
    hint: `It has deleted it since, or keeps it where CLAUDE_CONFIG_DIR said. What was said is in \`carryon show ${id}\``,
  });
}

/** A client keeps its transcripts on its machine; what it said came here, and the client cannot take it in. */
function ofOtherMachine({ id, machine }: Session): AppError {
  return new AppError(
    `Session ${id} is of Claude Code on ${toPrintableLine(machine)}, which cannot be resumed here.`,
    {
      ...{ kind: "usage", code: "no-transcript" },
      hint: `Go on in a new session that is told where the work stands: \`carryon resume ${id} --brief\`. What was said is in \`carryon show ${id}\``,
    },
  );
}

function partsElsewhere(session: Session, command: ResumeCommand): AppError {
  return new AppError(
    `Session ${session.id} was forked here, and Claude Code does not know it: it only has the session that it was forked from, which has other messages.`,
    {
      kind: "usage",
      code: "not-resumable",
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
  throw new AppError(`The folder of session ${session.id} is gone: ${session.cwd}`, {
    kind: "usage",
    code: "folder-gone",
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
