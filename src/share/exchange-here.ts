import { unlessFailed } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { findSession } from "../sessions/find-session.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Project, ProjectId } from "../sessions/project.ts";
import type { HeadQuery } from "../sessions/replica.ts";
import type { Store } from "../storage/open-store.ts";
import type { StoreSite } from "../storage/store-site.ts";
import { chooseProject, type ProjectChoice } from "../workspace/choose-project.ts";
import { followProjects } from "../workspace/follow-projects.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { writeHere } from "../workspace/open-here.ts";
import type { OpenProject, WritableProject } from "../workspace/open-project.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import type { Caller } from "../workspace/workspace.ts";
import { type Deletion, listUnnamed, noteDeletions } from "./deletions.ts";
import type { ExchangeReport } from "./exchange-report.ts";
import { exchangeSessions } from "./exchange-sessions.ts";
import { findShared, introduceProject } from "./join-projects.ts";
import { meetStore, requireMeetable } from "./meet-store.ts";
import { locateOtherStore } from "./open-other-store.ts";
import { notePushed } from "./pushed-projects.ts";

/** What is exchanged, and with which store. */
export interface ExchangeChoice extends ProjectChoice {
  /** The other store; the configured one unless given. */
  readonly store: string | undefined;
  /** The sessions that are meant; all of a project, or of all, unless given. */
  readonly ids: readonly string[];
}

/** The surface's part in an exchange. */
export interface ExchangeSteps {
  /** Called before a push opens anything; throws where no store may be made at a site that has none. */
  confirmStore(site: StoreSite): Promise<void>;
  progress(done: number, total: number): void;
  /** Called while the search index takes in what was pulled. */
  indexing(done: number, total: number): void;
}

/** What was exchanged with which store. */
export interface ExchangedHere {
  /** What messages call the other store. */
  readonly store: string;
  readonly report: ExchangeReport;
  /** Sessions that were deleted in one store and are kept in another, of which no person has heard yet. */
  readonly deletions: readonly Deletion[];
}

/** Brings sessions of this store to another one. */
export function pushHere(
  context: Caller,
  choice: ExchangeChoice,
  steps: ExchangeSteps,
): Promise<ExchangedHere> {
  return meet(context, choice, steps.confirmStore, async (here, there) => {
    const query = await chooseSessions(context, here, choice);
    if (query === "nothing") return nothing;
    // Before anything is sent: of a push that breaks off, others have a part.
    await notePushed(here.home, await listProjects(here.store, query), there.path);
    const place = await locatePlace(context.cwd);
    if (query.project === here.project.id) await introduceProject(there.projects, place, here.project);
    const ways = { source: here.store.replica, target: there.replica, machine: context.machine };
    return exchangeSessions({ ...ways, query, now: context.clock.now(), onProgress: steps.progress });
  });
}

/** Brings sessions of another store to this one. */
export function pullHere(
  context: Caller,
  choice: ExchangeChoice,
  steps: ExchangeSteps,
): Promise<ExchangedHere> {
  return meet(context, choice, undefined, async (here, there) => {
    const place = await locatePlace(context.cwd);
    const project = await findShared(here.store.projects, there.projects, place);
    await followProjects(here.home, here.store.projects);
    const query = await chooseSessions(context, { store: there, project }, choice);
    if (query === "nothing") {
      context.warn(describeUnknown(await there.projects.list()));
      return nothing;
    }
    const ways = { source: there.replica, target: here.store.replica };
    const now = context.clock.now();
    const own = { targetMachine: context.machine };
    const report = await exchangeSessions({ ...ways, ...own, query, now, onProgress: steps.progress });
    // What others took out is not to be found in the files here either; where somebody reads them, doctor tells.
    if (report.scrubbed > 0) await here.store.scrubber.wipe();
    // If it fails, the next search says what is wrong, or does without.
    await unlessFailed(here.store.search.catchUp(steps.indexing), 0);
    return report;
  });
}

/** How many names of projects are told. */
const mostNames = 10;

/** Says why nothing was pulled where the other store does not have the project of this folder. */
function describeUnknown(projects: readonly Project[]): string {
  if (projects.length === 0) return "There is nothing in it yet: somebody has to push first.";
  const names = projects.slice(0, mostNames).map(({ name }) => toPrintableLine(name));
  const more = projects.length > names.length ? ", …" : "";
  return `It does not have the project of this folder, which is known by its first commit: a shallow clone lacks that. It has ${names.join(", ")}${more}: \`--project NAME\` pulls one, \`--all\` all.`;
}

const nothing: ExchangeReport = { sessions: 0, records: 0, entries: 0, scrubbed: 0, changes: [] };

async function meet(
  context: Caller,
  choice: ExchangeChoice,
  confirmStore: ExchangeSteps["confirmStore"] | undefined,
  work: (here: WritableProject, there: Store) => Promise<ExchangeReport>,
): Promise<ExchangedHere> {
  const home = locateHome(context.env, context.userHome);
  const site = await locateOtherStore({ home, cwd: context.cwd, name: choice.store });
  const access = confirmStore === undefined ? "read" : "make";
  // Before the store of this machine is opened, which makes it where there is none.
  await requireMeetable(site, access);
  await confirmStore?.(site);
  return writeHere(context, async (here) => {
    const report = await meetStore(here, site, access, (there) => work(here, there));
    await noteDeletions(here.home, access === "make" ? "push" : "pull", site.path, report);
    return { store: site.path, report, deletions: await listUnnamed(here.home, here.store.log) };
  });
}

async function chooseSessions(
  context: Caller,
  source: Pick<OpenProject, "store" | "project">,
  choice: ExchangeChoice,
): Promise<HeadQuery | "nothing"> {
  if (choice.ids.length === 0) return chooseProject(source, choice);
  const sessions: SessionId[] = [];
  const scope = { project: source.project?.id, now: context.clock.now() };
  for (const text of choice.ids) sessions.push((await findSession(source.store.log, text, scope)).id);
  return { sessions };
}

/** Returns the projects of what is meant. */
async function listProjects({ log, projects }: Store, query: HeadQuery): Promise<readonly ProjectId[]> {
  if (query.project !== undefined) return [query.project];
  if (query.sessions === undefined) return (await projects.list()).map(({ id }) => id);
  const found = await Promise.all(query.sessions.map((id) => log.list({ id })));
  return [...new Set(found.flatMap(({ sessions }) => sessions.map(({ project }) => project)))];
}
