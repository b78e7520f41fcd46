import type { Client, FileHealth, NativePath } from "../clients/client.ts";
import { clientNamed, clientNames } from "../clients/registry.ts";
import { AppError } from "../lib/app-error.ts";
import { describeDay } from "../lib/describe.ts";
import { listFolders } from "../lifecycle/plan-native.ts";
import {
  describeFaults,
  type Expiring,
  examineFile,
  type FoundFile,
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

/** A file of a client, and the process of the client that is in its session. */
export interface ListedFile {
  readonly client: Client;
  readonly file: FoundFile;
  readonly holder: number | undefined;
}

/** Lists the files of these clients in all their folders that are known. */
export async function listFiles(caller: Caller, names: readonly string[]): Promise<readonly ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const client of names.flatMap((name) => clientNamed(name) ?? [])) {
    const folders = await listFolders(caller, client);
    const processes = (await client.processes(folders)) ?? [];
    const present = processes.filter(({ liveness }) => liveness !== "gone");
    const holders = new Map(present.map(({ session, pid }) => [session, pid]));
    for (const folder of folders)
      for (const file of await client.find(folder))
        listed.push({ client, file: { ...file, folder }, holder: holders.get(file.session) });
  }
  return listed;
}

/** Examines the files of all clients; changes nothing. */
export async function checkClients(caller: Caller): Promise<ClientsReport> {
  const found: FileFinding[] = [];
  const unreadable: Problem[] = [];
  const files = await listFiles(caller, clientNames());
  const free = files.filter(({ holder }) => holder === undefined);
  for (const { client, file } of free) {
    try {
      const { faults, deletedAt } = (await examineFile(client, file)).health;
      const { session, agent, path } = file;
      found.push({ client: client.name, session, agent, path, faults, deletedAt });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      unreadable.push(toProblem(error));
    }
  }
  const isDamaged = (file: FileFinding) => findDamage(file).length > 0;
  const sound = found.filter((file) => !isDamaged(file) && file.agent === null);
  return {
    ...{ examined: found.length, inUse: files.length - free.length, unreadable },
    damaged: found.filter(isDamaged),
    expiring: sound.filter((file) => isExpiring(file, caller.clock.now())),
  };
}

/** Says what is wrong, each with the command that mends it. */
export function toFindings({ damaged, expiring, unreadable }: ClientsReport) {
  const problems = damaged.map(({ client, session, path, faults }) => ({
    what: `${path} is damaged: ${describeFaults(findDamage({ faults }))}.`,
    hint: `Make a mended copy with \`carryon repair --client ${client} ${session}\`; --install puts it in place and keeps the damaged file.`,
  }));
  const notes = expiring.map(({ client, path, deletedAt }) => ({
    what: `${path} is deleted by its client after ${describeDay(deletedAt)}, at its next start.`,
    hint: `\`carryon import ${client}\` records what is not recorded yet; \`carryon resume\` writes a deleted one again.`,
  }));
  return { problems: [...problems, ...unreadable], notes };
}
