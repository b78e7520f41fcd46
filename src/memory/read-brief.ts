import { openDigests } from "../digest/read-digests.ts";
import type { GitFacts } from "../git/git-facts.ts";
import { Attempts } from "../handover/attempts.ts";
import { isOpen, type Origin } from "../handover/dated.ts";
import { awaiting } from "../handover/next-step.ts";
import type { HandoverAuthor } from "../handover/project-handover.ts";
import { type Documents, readDocuments } from "../handover/read-documents.ts";
import { describeAge } from "../lib/duration.ts";
import { truncate } from "../lib/terminal-text.ts";
import { findStandingBlocker, findUnsavedTasks, withStandingTasks } from "../work/standing-work.ts";
import { readState } from "../work/state-store.ts";
import { openWorkDesk, type WorkDesk } from "../work/work-desk.ts";
import { WorkRecord } from "../work/work-record.ts";
import { chooseHandoverPlace, type HandoverPlace } from "../workspace/choose-handover-place.ts";
import { isTrustedProject } from "../workspace/trust.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type BriefSources, composeBrief } from "./brief/compose-brief.ts";
import { readEarlierWork } from "./earlier-work.ts";
import { type Brief, renderBrief } from "./render-brief.ts";

/** How many tokens a brief may have unless told. */
export const usualBudget = 1500;

/** A session that begins does not wait for more: the next one finds the digests that it has made, and goes on. */
const mostAtStart = 10_000;

/** Whose brief it is, and how long it may be. */
export interface BriefRequest {
  /** The agent's session that begins. While several are at work, one goes on from its own draft. */
  readonly session?: string | undefined;
  /** The session that a new one goes on from: its draft and its work are told. */
  readonly from?: string | undefined;
  /** The most tokens. */
  readonly budget?: number | undefined;
  /** What is to be said of gates. */
  readonly gates?: string | undefined;
  /** The other sessions that live on this project and branch. */
  readonly others?: readonly string[] | undefined;
  /** The words that run Carryon in the reader's shell; `carryon` unless given. */
  readonly command?: string | undefined;
}

/** A project in a store, and who asks. */
export type BriefPlace = Pick<Workspace, "store" | "project" | "root" | "branch" | "git" | "home"> &
  Pick<HandoverAuthor, "machine" | "clock" | "random">;

/** A brief, and the work that it restores. */
export interface ProjectBrief extends Brief, Pick<Documents, "stamp"> {
  /** The work, where it stands and since when, on one line; undefined where there is none to go on with. */
  readonly restores: string | undefined;
}

/** Reads all that the next session must know, and returns it most important first. Writes nothing. */
export async function readBrief(here: BriefPlace, request: BriefRequest = {}): Promise<ProjectBrief> {
  const { home, project, git } = here;
  const isTrusted = await isTrustedProject(home, project);
  const place = await chooseHandoverPlace(here);
  const limit = request.session === undefined ? {} : { mostEntries: mostAtStart };
  const desk = await openWorkDesk({ ...here, env: {}, digests: openDigests(here.store, limit) });
  const { digests, site } = desk;
  const { clock } = site;
  const earlier = await readEarlierWork({ ...here, clock, digests }, { session: request.session });
  return makeBrief({ place, git, isTrusted, desk, now: clock.now() }, { ...request, earlier });
}

/** Reads the brief of a folder without a record: nothing is known to be from this user, and nobody was trusted. */
export function readUnrecordedBrief(
  site: Pick<BriefSite, "place" | "git" | "now">,
  request: BriefRequest = {},
): Promise<ProjectBrief> {
  return makeBrief({ ...site, isTrusted: false, desk: undefined }, request);
}

/** Where a brief is made. */
interface BriefSite {
  readonly place: HandoverPlace;
  readonly git: GitFacts | undefined;
  /** Whether the user trusts the project: only then counts what others wrote. */
  readonly isTrusted: boolean;
  /** Where the work stands; undefined where nothing was ever recorded. */
  readonly desk: WorkDesk | undefined;
  readonly now: Date;
}

async function makeBrief(
  site: BriefSite,
  { session, from, budget = usualBudget, command, ...beside }: BriefRequest & Pick<BriefSources, "earlier">,
): Promise<ProjectBrief> {
  const { desk, now } = site;
  const documents = await readDocuments({ ...site, record: desk?.site }, session ?? from);
  const work = await readWork(site, { hasDigest: beside.earlier !== undefined });
  const problems = [...new Set([...(documents.problems ?? []), ...(work.problems ?? [])])];
  const parts = composeBrief({ ...beside, ...documents, ...work, problems, now });
  const brief = renderBrief(parts, { budget, command, now });
  const restores = beside.earlier?.summary ?? describeWritten(brief, now);
  return { ...brief, restores, stamp: documents.stamp };
}

const longestText = 70;

/** Where no session tells of work, a person may have written it down; the first part that says something counts. */
const written = ["Session goal", "Next action", "Saved work"];

function describeWritten({ parts }: Brief, now: Date): string | undefined {
  const [part] = written
    .flatMap((name) => parts.filter((each) => each.name === name))
    .filter(({ text }) => text !== awaiting);
  if (part === undefined) return undefined;
  const [first = ""] = part.text.replace(/^Worked on: /, "").split("\n");
  const age = part.at === undefined ? "" : ` (${describeAge(part.at, now)})`;
  return `"${truncate(first, longestText)}"${age}`;
}

type WorkSources = Pick<BriefSources, "work" | "stopped" | "blocker" | "tasks" | "problems">;

/** Returns the value that was read; undefined where it cannot be. */
type Tried = <Value>(read: () => Promise<Value>) => Promise<Value | undefined>;

/** Reads what was saved of the work, and what has become of it since as the log tells. */
async function readWork(
  site: BriefSite,
  told: Pick<Parameters<typeof findUnsavedTasks>[1], "hasDigest">,
): Promise<WorkSources> {
  const { desk } = site;
  const attempts = new Attempts();
  const tried: Tried = async (read) => (await attempts.read(read)).value;
  const work = await tried(() => readSaved(site));
  if (desk === undefined) return { work, problems: attempts.problems };
  const saved = work !== undefined && isOpen(work) ? work.value : undefined;
  const found = {
    ...(work === undefined
      ? await readUnsaved(desk, { ...told, isTrusted: site.isTrusted }, tried)
      : { work }),
    blocker: (await tried(() => findStandingBlocker(desk, saved))) ?? undefined,
  };
  const standing = saved && (await tried(() => withStandingTasks(desk, saved)));
  return {
    ...found,
    ...(work && standing && { work: { ...work, value: standing } }),
    problems: attempts.problems,
  };
}

/** The state is of this user when the log has it as it is. */
async function readSaved({ place, desk, isTrusted }: BriefSite): Promise<BriefSources["work"]> {
  const found = await readState(place.root);
  if (found.type !== "state") return undefined;
  const { state: value } = found;
  const isOwn = desk !== undefined && (await new WorkRecord(desk.site).knows(value));
  const origin: Origin = isOwn ? { type: "own" } : { type: "outside", author: undefined, isTrusted };
  return { value, at: value.savedAt, origin };
}

/** Where nothing was saved here, what another machine has brought tells where the work stands there. */
async function readUnsaved(
  desk: WorkDesk,
  site: Parameters<typeof findUnsavedTasks>[1],
  tried: Tried,
): Promise<WorkSources> {
  const { isTrusted } = site;
  const elsewhere = await tried(() => new WorkRecord(desk.site).newestElsewhere());
  const tasks = await tried(() => findUnsavedTasks(desk, site));
  if (elsewhere === undefined) return { tasks };
  const { state, machine: author } = elsewhere;
  const dated = { at: state.savedAt, origin: { type: "outside", author, isTrusted } } as const;
  const stopped = state.blocker === null ? undefined : { ...dated, value: state.blocker };
  return { tasks, work: { ...dated, value: state }, stopped };
}
