import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { findTranscripts, makeSlug } from "../clients/claude-code/locate.ts";
import type { ProjectId } from "../conversation/project.ts";
import type { Session } from "../conversation/session.ts";
import { AppError } from "../lib/app-error.ts";
import { renderShellWord } from "../lib/shell-word.ts";

/** What starts a client where a session stopped. */
export interface ResumeCommand {
  readonly cwd: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What to do if it does not work. */
  readonly caution?: string;
}

/** Where a session is to be resumed from. */
export interface ResumePlace {
  /** The client's folder: see `locateClient`. */
  readonly client: string;
  /** The project of the current folder, and its root. */
  readonly project: ProjectId | undefined;
  readonly root: string;
}

/** Returns the command with which the client of a session goes on in it; throws where there is none. */
export async function planResume(session: Session, place: ResumePlace): Promise<ResumeCommand> {
  const id = requireClient(session);
  const cwd = await chooseFolder(session, place);
  const expected = join(place.client, "projects", makeSlug(await realpath(cwd)), `${id}.jsonl`);
  const found = await findTranscripts(place.client, id);
  const [elsewhere] = found;
  if (elsewhere === undefined) {
    throw new AppError(`Claude Code has no transcript of session ${session.id}.`, {
      kind: "usage",
      code: "no-transcript",
      hint: `It was killed before it wrote one, has deleted it since, or keeps it where CLAUDE_CONFIG_DIR said. What was said is in \`carryon show ${session.id}\``,
    });
  }
  const command = { cwd, program: "claude", args: [`--resume=${id}`] };
  if (found.includes(expected)) return command;
  // Newer versions look everywhere; which one is installed is not ours to ask.
  const caution = `Older versions of Claude Code do not find the session from ${cwd}. If yours says so, copy ${renderShellWord(elsewhere)} to ${renderShellWord(expected)}`;
  return { ...command, caution };
}

function requireClient({ id, client, clientSessionId }: Session): string {
  if (client === "claude-code" && clientSessionId !== null) return clientSessionId;
  if (client === "claude-code") {
    throw notResumable(`Session ${id} was forked here, and Claude Code does not know it.`);
  }
  if (client === "carryon-append") {
    throw notResumable(
      `Session ${id} was recorded with \`carryon append\`, so that there is no client to start.`,
      `Go on recording with \`carryon append --session ${id}\``,
    );
  }
  throw notResumable(`Carryon cannot start ${client} yet, in which session ${id} was.`);
}

function notResumable(message: string, hint = "List the sessions with `carryon sessions`."): AppError {
  return new AppError(message, { kind: "usage", code: "not-resumable", hint });
}

/** The folder in which the session was, or where its project is now. */
async function chooseFolder(session: Session, { project, root }: ResumePlace): Promise<string> {
  if (await isThere(session.cwd)) return session.cwd;
  if (session.project === project) return root;
  throw new AppError(`The folder of session ${session.id} is gone: ${session.cwd}`, {
    kind: "usage",
    code: "folder-gone",
    hint: "Change to where its project is now. If that is not recognised, tell so there with `carryon relink`.",
  });
}

function isThere(path: string): Promise<boolean> {
  return realpath(path).then(
    () => true,
    () => false,
  );
}
