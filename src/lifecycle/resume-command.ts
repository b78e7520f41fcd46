import { listBranches } from "../git/list-branches.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { Session } from "../sessions/session.ts";
import { locatePlace } from "../workspace/recognise-project.ts";

/** This program, under the name that people call it by. */
export const ownProgram = "carryon";

/** What starts a client where a session stopped. */
export interface ResumeCommand {
  readonly cwd: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The folder that the client is told to use; null when it must be told none, although one is set here. */
  readonly config?: string | null;
  /** What else stands in its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Renders a command for a shell. */
export function renderResume({ cwd, program, args, config, env = {} }: ResumeCommand): string {
  const words = [program, ...args].map(renderShellWord).join(" ");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${renderShellWord(value)} `);
  return `cd ${renderShellWord(cwd)} && ${renderConfig(config)}${variables.join("")}${words}`;
}

function renderConfig(config: string | null | undefined): string {
  if (config === undefined) return "";
  return config === null ? `env -u ${configVariable} ` : `${configVariable}=${renderShellWord(config)} `;
}

/** The variable that tells the client which folder to use. */
const configVariable = "CLAUDE_CONFIG_DIR";

/** Returns the environment that a command is started in. */
export function environmentOf(
  { config, env: own }: ResumeCommand,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  if (config === undefined && own === undefined) return env;
  return { ...env, ...own, ...(config === undefined ? {} : { [configVariable]: config ?? undefined }) };
}

/** Says in a sentence that another branch is checked out than the session was on, and how to switch. */
export async function warnOfBranch(
  { id, branch }: Session,
  { cwd }: Pick<ResumeCommand, "cwd">,
): Promise<readonly string[]> {
  const { git, root, branch: here } = await locatePlace(cwd);
  if (git === undefined || branch === null || branch === here) return [];
  const now = here === null ? "no branch is" : `${here} is`;
  const isGone = (await listBranches(root))?.has(branch) === false;
  const command = `git -C ${renderShellWord(cwd)} switch ${renderShellWord(branch)}`;
  const how = isGone ? "That branch is gone." : `To switch first: \`${command}\``;
  return [`Session ${id} was on the branch ${branch}, and ${now} checked out now. ${how}`];
}
