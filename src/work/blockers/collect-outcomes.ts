import { realpath } from "node:fs/promises";
import { keyOfCall } from "../../clients/claude-code/links.ts";
import { readTimesOnBranch } from "../../git/branch-times.ts";
import { locateRoot } from "../../git/locate-root.ts";
import { unlessGone } from "../../lib/app-error.ts";
import {
  clientsOutcome,
  readBackgroundEnd,
  readShellCall,
  readShellResult,
  type ToldOfShell,
  textOf,
} from "../../outcomes/shell-result.ts";
import { listAll } from "../../sessions/conversation-log.ts";
import type { Entry, EventContent, ToolCallPart } from "../../sessions/entry.ts";
import { observationIn, toSeenMessage } from "../../sessions/observations.ts";
import type { ClientName, Session } from "../../sessions/session.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readSince } from "../read-since.ts";
import type { Outcome } from "./standing-blockers.ts";

/** How much counts of a project that was never saved, before its last activity. */
const dayMs = 24 * 60 * 60 * 1000;

/** How far back is looked at most: a work that was last saved long ago may have much behind it. */
export type OutcomeReach = "last-day";

/** How many entries of a session are read then, from its end: whoever begins a session waits for it. */
const mostEntries = 2000;

/**
 * Returns the results of commands and the reports of subagents that were recorded from a moment on, oldest first; without
 * a moment, those of the last day on which anything was recorded.
 *
 * What was done in another work tree, on another machine, or while another branch was checked out, does not count. The cost
 * grows with what was recorded since the moment.
 */
export async function collectOutcomes(
  site: Pick<Workspace, "log" | "project" | "root">,
  since?: Date,
  reach?: OutcomeReach,
): Promise<readonly Outcome[]> {
  const { log, project, root } = site;
  const day = since === undefined || reach !== undefined ? await lastDay(site) : undefined;
  const from = since === undefined || (day !== undefined && day > since) ? day : since;
  if (from === undefined) return [];
  const isHere = await isOfFolder(root);
  const most = reach === undefined ? undefined : mostEntries;
  let isOfBranch: ((at: Date) => boolean) | undefined;
  const outcomes: Outcome[] = [];
  // The list begins after a moment, and the moment itself counts.
  const updatedAfter = new Date(from.getTime() - 1);
  for await (const session of listAll(log, { project: project.id, newest: "here", updatedAfter })) {
    if (!(await isHere(session))) continue;
    const recorded = toOutcomes(await readSince(log, session, from, { most }), session.client);
    // Mostly nothing was recorded, and then git need not be asked.
    if (recorded.length > 0) isOfBranch ??= await readTimesOnBranch(root);
    outcomes.push(...recorded.filter(({ at }) => at >= from && isOfBranch?.(at)));
  }
  return outcomes.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Returns what was recorded at a moment in sessions that were last worked in on another machine: what a state that was saved
 * rests on counts wherever it is recorded, so that what passes here later can take it back.
 */
export async function recallOutcomes(
  { log, project }: Pick<Workspace, "log" | "project">,
  moment: Date,
): Promise<readonly Outcome[]> {
  const updatedAfter = new Date(moment.getTime() - 1);
  const outcomes: Outcome[] = [];
  for await (const session of listAll(log, { project: project.id, newest: "elsewhere", updatedAfter }))
    outcomes.push(
      ...toOutcomes(await readSince(log, session, moment, { most: mostEntries }), session.client),
    );
  return outcomes.filter(({ at }) => at.getTime() === moment.getTime());
}

async function lastDay({
  log,
  project,
}: Pick<Workspace, "log" | "project" | "root">): Promise<Date | undefined> {
  const [newest] = (await log.list({ project: project.id, newest: "here", limit: 1 })).sessions;
  return newest === undefined ? undefined : new Date(newest.updatedAt.getTime() - dayMs);
}

/** Returns a test of sessions: whether they were in a work tree. A folder that is gone has moved here. */
async function isOfFolder(root: string): Promise<(session: Session) => Promise<boolean>> {
  const here = await realpath(root);
  const known = new Map<string, Promise<boolean>>();
  return ({ cwd }) => {
    const answer =
      known.get(cwd) ?? unlessGone(locateRoot(cwd)).then((found) => found === undefined || found === here);
    known.set(cwd, answer);
    return answer;
  };
}

/**
 * Returns the results of commands and the reports of subagents among the entries of a session, in their order.
 *
 * Only what a tool gave back counts: what people and models wrote may tell of anything.
 */
function toOutcomes(entries: readonly Entry[], client: ClientName): readonly Outcome[] {
  const calls: Calls = new Map();
  const found = new Set(entries.map((entry) => observationIn(entry)));
  return entries.flatMap((entry): readonly Outcome[] => {
    if (entry.kind === "event" && entry.event === "notification") return fromNews(entry, calls);
    // Of a client that was killed, only a hook may have seen what it did.
    const message = entry.kind === "message" || found.has(entry.id) ? entry : toSeenMessage(entry);
    if (message?.kind !== "message") return [];
    return message.parts.flatMap((part) => {
      if (part.type === "tool-call") calls.set(keyOfCall(part.call), part);
      const call = part.type === "tool-result" ? calls.get(keyOfCall(part.call)) : undefined;
      if (part.type !== "tool-result" || call === undefined) return [];
      return toOutcome(call, { ...part, outcome: clientsOutcome(message), client }, entry);
    });
  });
}

/** The calls so far, by what hooks know them by. */
type Calls = Map<string, ToolCallPart>;

function toOutcome(call: ToolCallPart, told: ToldOfShell, { at, id: entry }: Entry): readonly Outcome[] {
  const agent = fieldOf(call.input, "subagent_type");
  if (typeof agent === "string") return [{ agent, text: textOf(told.output), at, entry }];
  const command = readShellCall(call);
  const result = command === undefined ? undefined : readShellResult(told);
  return command === undefined || result === undefined ? [] : [{ command, ...result, at, entry }];
}

/** Reads the news that the client brings of what ran in the background: a subagent's report, or how a command ended. */
function fromNews({ data, at, id: entry }: EventContent & Entry, calls: Calls): readonly Outcome[] {
  const { text } = data;
  const { call: id, exitCode, report } = readBackgroundEnd(String(text));
  const call = calls.get(keyOfCall(id));
  if (call === undefined) return [];
  const agent = fieldOf(call.input, "subagent_type");
  if (typeof agent === "string") return [{ agent, text: report, at, entry }];
  const command = readShellCall(call);
  if (command === undefined || exitCode === undefined) return [];
  return [{ command, output: "", isOutputUnknown: true, exitCode, at, entry }];
}
