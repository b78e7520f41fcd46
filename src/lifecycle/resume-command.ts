import type { Launch } from "../clients/client.ts";
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
  /** What its environment must say besides; null for a variable that must not be set, although it is here. */
  readonly env?: Launch["env"];
}

/** Renders a command for a shell. */
export function renderResume({ cwd, program, args, env = {} }: ResumeCommand): string {
  const words = [program, ...args].map(renderShellWord).join(" ");
  const unset = Object.keys(env).filter((name) => env[name] === null);
  const variables = Object.entries(env).map(([name, value]) =>
    value === null ? "" : `${name}=${renderShellWord(value)} `,
  );
  const without = unset.length === 0 ? "" : `env ${unset.map((name) => `-u ${name} `).join("")}`;
  return `cd ${renderShellWord(cwd)} && ${without}${variables.join("")}${words}`;
}

/** Returns the environment that a command is started in. */
export function environmentOf(
  { env: own = {} }: ResumeCommand,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const changes = Object.entries(own).map(([name, value]) => [name, value ?? undefined] as const);
  return { ...env, ...Object.fromEntries(changes) };
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
