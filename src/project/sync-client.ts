import { join } from "node:path";
import type { Project } from "../conversation/project.ts";
import { acquireLock } from "../lib/file-lock.ts";
import { openStore } from "../storage/open-store.ts";
import type { SyncReport } from "../sync/sync-report.ts";
import type { SyncSite } from "../sync/sync-site.ts";
import { type SyncOptions, syncTranscripts } from "../sync/sync-transcripts.ts";
import { recogniseFolder } from "./recognise-folder.ts";

export interface SyncChoice extends Pick<SyncOptions, "client" | "since" | "onProgress"> {
  /** The folder of the store, which is always the one on this machine: see `locateHome`. */
  readonly home: string;
  readonly machine: string;
  /** Only sessions of the project of this folder. */
  readonly folder?: string;
}

/** How long to wait for another sync before giving up; most take a moment. */
const patienceMs = 15_000;

/** Takes what Claude Code wrote into the store of a home folder; one at a time, others wait. */
export async function syncClient({ home, machine, folder, ...options }: SyncChoice): Promise<SyncReport> {
  const store = await openStore(home);
  try {
    const lock = await acquireLock(join(home, "sync"), { wait: patienceMs });
    try {
      const recognise = rememberProjects((cwd) => recogniseFolder(store.projects, cwd));
      const site: SyncSite = { log: store.log, ingestion: store.ingestion, recognise, machine };
      const project = folder === undefined ? {} : { project: (await recognise(folder)).id };
      return await syncTranscripts(site, { ...options, ...project });
    } finally {
      await lock.release();
    }
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/** Asks once for each folder: many transcripts have the same, and each answer costs a few runs of git. */
function rememberProjects(ask: (cwd: string) => Promise<Project>): (cwd: string) => Promise<Project> {
  const known = new Map<string, Promise<Project>>();
  return (cwd) => {
    const project = known.get(cwd) ?? ask(cwd);
    known.set(cwd, project);
    return project;
  };
}
