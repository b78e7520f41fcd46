import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { locateRoot } from "../../git/locate-root.ts";
import { extractNotes } from "../../handover/extract-notes.ts";
import { renderOrigin } from "../../handover/note.ts";
import type { ProjectHandover } from "../../handover/project-handover.ts";
import { AppError, isSystemError, unlessGone } from "../../lib/app-error.ts";
import type { readRecordedWork } from "../../memory/recorded-work.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { openProject } from "../../workspace/open-project.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Pending } from "../intake/read-pending.ts";
import type { SyncSite } from "../intake/sync-site.ts";
import type { SyncTally } from "../sync-report.ts";
import { readMoments, type ToldMoment, toldText } from "./read-moments.ts";
import { readTurnWork } from "./read-turn-work.ts";

/** Where moments are attended to. */
export type AttendSite = Pick<SyncSite, "log" | "ingestion" | "given" | "live" | "recognise" | "machine"> &
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
      const { readRecordedWork } = await import("../../memory/recorded-work.ts");
      const workspace = { ...here, log: here.store.log, clock };
      const readRecorded: AttendDesk["readRecorded"] = (request) => readRecordedWork(workspace, request);
      for (const moment of moments) {
        try {
          await attend({ log, handover, readRecorded }, moment, tally);
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

/** A log that nobody reads must not fill the disk. */
const logLimit = 1_048_576;

const unwritable = ["EACCES", "EDQUOT", "EIO", "EISDIR", "ENOENT", "ENOSPC", "EPERM", "EROFS"];

/** Adds one line to `carryon.log` in the home folder: a sync that a hook has started says nothing to anybody. */
async function noteTrouble(home: string, what: string, now: Date): Promise<void> {
  const path = join(home, "carryon.log");
  const line = what.slice(0, 2000).replace(/\s+/g, " ");
  try {
    if (((await unlessGone(stat(path)))?.size ?? 0) > logLimit) return;
    await appendFile(path, `${now.toISOString()} sync: ${line}\n`, { mode: 0o600 });
  } catch (error) {
    // Where the log cannot be written either, the report is all that is left.
    if (!isSystemError(error, ...unwritable)) throw error;
  }
}

/** Where the documents of a moment are, and where it is read what happened until then. */
interface AttendDesk {
  readonly log: ConversationLog;
  readonly handover: ProjectHandover;
  readonly readRecorded: (
    request: Parameters<typeof readRecordedWork>[1],
  ) => ReturnType<typeof readRecordedWork>;
}

/** Returns the document that a moment may change. */
function documentOf({ item }: ToldMoment, { paths }: ProjectHandover): string {
  return item.event === "SubagentStop" ? paths.buffer : paths.session;
}

/** Writes down what a moment calls for: what a subagent has learned, or a draft of session.md. */
async function attend(desk: AttendDesk, moment: ToldMoment, tally: SyncTally): Promise<void> {
  const { session } = moment;
  const path = documentOf(moment, desk.handover);
  if (moment.item.event === "SubagentStop") {
    const notes = await learn(desk, moment);
    if (notes > 0) tally.noted.push({ path, session, notes });
    return;
  }
  if (moment.item.event === "Stop") {
    const { notes } = await desk.handover.flushAfterWave(new Date(moment.turn.fromMs));
    const { knowledge } = desk.handover.paths;
    if (notes.length > 0) tally.flushed.push({ path: knowledge, session, notes: notes.length });
  }
  const drafted = await follow(desk, moment);
  if (drafted?.isChanged) tally.drafted.push({ path, session, trigger: drafted.trigger });
}

async function follow(desk: AttendDesk, moment: ToldMoment) {
  const { item, session, known, items, turn, cutOffAt } = moment;
  const { commands, files } = await readWork(desk, moment);
  const isOver = item.event === "Stop";
  const turnEnd = { at: item.receivedAt, text: toldText(moment, "last_assistant_message") };
  return desk.handover.follow(
    {
      ...{ session, at: item.receivedAt, turnFrom: new Date(turn.fromMs), files, cutOffAt },
      startedAt: known?.startedAt ?? items[0]?.receivedAt ?? item.receivedAt,
      // Only a turn that is over has completed what it ran.
      commands: isOver ? commands : [],
    },
    () => desk.readRecorded({ session, ...(isOver && { turnEnd }) }),
  );
}

function readWork({ log }: AttendDesk, { known, items, turn }: ToldMoment) {
  return readTurnWork({ log, session: known, items }, turn);
}

const unsaid = "unspecified";

/** Takes the notes of a subagent's last message, and returns how many are new. */
async function learn(desk: AttendDesk, moment: ToldMoment): Promise<number> {
  // The client sums up before a compaction with a subagent that has no type, and quotes what others said.
  const role = toldText(moment, "agent_type");
  const message = role === "" ? "" : toldText(moment, "last_assistant_message");
  if (extractNotes(message, "").length === 0) return 0;
  // A command names the spec that it is for.
  const spec = (await readWork(desk, moment)).commands.at(-1)?.split(" ")[1];
  const source = renderOrigin({ spec: spec ?? unsaid, role, task: unsaid });
  const notes = extractNotes(message, source).map(({ line: _line, ...note }) => note);
  return (await desk.handover.learn(notes, moment.item.receivedAt)).length;
}
