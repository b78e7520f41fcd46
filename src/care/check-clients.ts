import type { FileHealth, NativePath } from "../clients/client.ts";
import { clientNamed, clientNames } from "../clients/registry.ts";
import { AppError } from "../lib/app-error.ts";
import { describeDay } from "../lib/describe.ts";
import { listFolders } from "../lifecycle/plan-native.ts";
import {
  describeFaults,
  type Expiring,
  examineFile,
  findDamage,
  isExpiring,
} from "../recording/examine-file.ts";
import { type Problem, toProblem } from "../storage/store-report.ts";
import type { Caller } from "../workspace/workspace.ts";

/** A file of a client in which something is wrong, or that the client deletes soon. */
interface FileFinding extends NativePath, Pick<FileHealth, "faults" | "deletedAt"> {
  readonly client: string;
}

/** What is known of the files of clients. */
export interface ClientsReport {
  /** How many files were examined, and how many were not because a client is in their session. */
  readonly examined: number;
  readonly inUse: number;
  readonly damaged: readonly FileFinding[];
  /** Whole ones that the client deletes within a week. */
  readonly expiring: readonly Expiring<FileFinding>[];
  readonly unreadable: readonly Problem[];
}

/** Examines the files of all clients in all their folders that are known; changes nothing. */
export async function checkClients(caller: Caller): Promise<ClientsReport> {
  const found: FileFinding[] = [];
  const unreadable: Problem[] = [];
  let inUse = 0;
  for (const { client, folder, isOpen, ...file } of await listFiles(caller)) {
    const examined = isOpen ? undefined : await examineFile(client, { ...file, folder }).catch(asProblem);
    if (examined === undefined) inUse += 1;
    else if ("hint" in examined) unreadable.push(examined);
    else {
      const { faults, deletedAt } = examined.health;
      found.push({ client: client.name, ...file, faults, deletedAt });
    }
  }
  const isDamaged = (file: FileFinding) => findDamage(file).length > 0;
  const now = caller.clock.now();
  return {
    ...{ examined: found.length, inUse, damaged: found.filter(isDamaged), unreadable },
    expiring: found
      .filter((file) => !isDamaged(file) && file.agent === null)
      .filter((file) => isExpiring(file, now)),
  };
}

async function listFiles(caller: Caller) {
  const listed = [];
  for (const client of clientNames().flatMap((name) => clientNamed(name) ?? [])) {
    const folders = await listFolders(caller, client);
    const open = new Set(
      (await client.processes(folders))?.flatMap(({ session, liveness }) =>
        liveness === "gone" ? [] : session,
      ),
    );
    for (const folder of folders)
      for (const file of await client.find(folder))
        listed.push({ ...file, client, folder, isOpen: open.has(file.session) });
  }
  return listed;
}

function asProblem(error: unknown): Problem {
  if (error instanceof AppError) return toProblem(error);
  throw error;
}

/** Says what is wrong, each with the command that mends it. */
export function toFindings({ damaged, expiring, unreadable }: ClientsReport) {
  const problems = damaged.map(({ client, session, path, faults }) => ({
    what: `${path} is damaged: ${describeFaults(findDamage({ faults }))}.`,
    hint: `Make a mended copy with \`carryon repair --client ${client} ${session}\`; --install puts it in place and keeps the damaged file.`,
  }));
  const notes = expiring.map(({ client, path, deletedAt }) => ({
    what: `${path} is deleted by its client after ${describeDay(deletedAt)}.`,
    hint: `\`carryon import ${client}\` records what is not recorded yet; \`carryon resume\` writes a deleted one again.`,
  }));
  return { problems: [...problems, ...unreadable], notes };
}
