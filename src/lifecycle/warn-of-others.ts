import { readProcesses } from "../clients/claude-code/live-sessions.ts";
import type { Native } from "./find-native.ts";
import { type ResumeCommand, renderResume } from "./resume-command.ts";

/** Where others are looked for. */
interface Surroundings {
  readonly clients: readonly string[];
  readonly machine: string;
}

/** Returns who else is in a session that is to be resumed, as far as it is known, in sentences. */
export async function warnOfOthers(
  { id, session }: Native,
  { clients, machine }: Surroundings,
  command: ResumeCommand,
): Promise<readonly string[]> {
  const lists = await Promise.all(clients.map(readProcesses));
  const holder = lists
    .flatMap((list) => list ?? [])
    .find((each) => each.session === id && each.liveness !== "gone");
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
