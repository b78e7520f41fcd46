import { locateRoot } from "../../git/locate-root.ts";
import { AppError } from "../../lib/app-error.ts";
import { openProject } from "../../workspace/open-project.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Pending } from "../intake/read-pending.ts";
import type { SyncSite } from "../intake/sync-site.ts";
import type { SyncTally } from "../sync-report.ts";
import { attend, documentOf } from "./attend.ts";
import { noteTrouble } from "./note-trouble.ts";
import { readMoments, type ToldMoment, toldText } from "./read-moments.ts";

/** Where moments are attended to. */
export type AttendSite = Pick<SyncSite, "log" | "ingestion" | "live" | "recognise" | "machine"> &
  Pick<Workspace, "home" | "clock"> & {
    /** The store of the documents, as `CARRYON_STORE` says it. */
    readonly documents: string | undefined;
  };

/** Whoever changes documents is done in a moment, and the next sync tries again. */
const patienceMs = 5000;

/**
 * Writes down in projects what happened in their sessions: drafts of session.md, and what subagents have learned.
 *
 * Returns the keys of the moments that are dealt with. Those of a project whose documents somebody else holds stay for
 * the next time; what else goes wrong in one project is told, and hinders no other.
 */
export async function attendMoments(
  site: AttendSite,
  pending: Pending,
  tally: SyncTally,
): Promise<ReadonlySet<number>> {
  const attended = new Set([...pending.values()].flatMap(({ items }) => items.map(({ key }) => key)));
  const byRoot = new Map<string, ToldMoment[]>();
  for (const moment of await readMoments(site, pending)) {
    const root = await findFolder(site, moment);
    // In a folder that has gone nobody looks for documents.
    if (root !== undefined) byRoot.set(root, [...(byRoot.get(root) ?? []), moment]);
  }
  for (const [root, moments] of byRoot)
    for (const { item } of await attendIn(site, root, moments, tally)) attended.delete(item.key);
  return attended;
}

/**
 * Returns the top of the work tree that a session was in at a moment; undefined when it is gone.
 *
 * A client may have gone into a folder of another project for a while: that has no part in the session.
 */
async function findFolder({ recognise }: AttendSite, moment: ToldMoment): Promise<string | undefined> {
  const { known } = moment;
  const told = await findRoot(toldText(moment, "cwd") || (known?.cwd ?? ""));
  if (known === undefined || (told !== undefined && (await recognise(told)).id === known.project))
    return told;
  return findRoot(known.cwd);
}

/** A folder that cannot be looked at, for whatever reason, is as good as gone. */
function findRoot(cwd: string): Promise<string | undefined> {
  return locateRoot(cwd).catch(() => undefined);
}

/** Attends to the moments of one work tree, and returns those that are left for the next time. */
async function attendIn(
  site: AttendSite,
  root: string,
  moments: readonly ToldMoment[],
  tally: SyncTally,
): Promise<readonly ToldMoment[]> {
  const { log, home, documents, machine, clock } = site;
  const left = [...moments];
  /** Tells what went wrong, once, and whether it is worth another try. */
  const isBusy = async (error: unknown, path: string): Promise<boolean> => {
    const { code, message: reason } = toFailure(error);
    if (!tally.unwritten.some((each) => each.path === path && each.reason === reason)) {
      tally.unwritten.push({ path, code, reason });
      await noteTrouble(home, `${path}: ${reason}`, clock.now());
    }
    return error instanceof AppError && error.kind === "busy";
  };
  try {
    await using(await openProject({ cwd: root, home, store: documents }, "write"), async (here) => {
      // Loaded here, so that only who writes documents pays for what reads them.
      const { openProjectHandover } = await import("../../handover/project-handover.ts");
      const handover = await openProjectHandover({ ...here, machine, clock, wait: patienceMs });
      for (const moment of moments) {
        try {
          await attend({ log, handover }, moment, tally);
        } catch (error) {
          if (await isBusy(error, documentOf(moment, handover))) return;
        }
        left.shift();
      }
    });
  } catch (error) {
    if (!(await isBusy(error, root))) return [];
  }
  return left;
}

/** What is wrong with the documents of one project must not keep the others from being written. */
function toFailure(error: unknown): { readonly code: string; readonly message: string } {
  return error instanceof AppError ? error : { code: "unexpected", message: String(error) };
}

async function using<Thing extends AsyncDisposable>(
  thing: Thing,
  work: (thing: Thing) => Promise<void>,
): Promise<void> {
  try {
    await work(thing);
  } finally {
    await thing[Symbol.asyncDispose]();
  }
}
