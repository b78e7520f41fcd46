import { toPrintableLine } from "../../lib/printable.ts";
import { findSession } from "../../sessions/find-session.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Project, ProjectId } from "../../sessions/project.ts";
import type { HeadQuery } from "../../sessions/replica.ts";
import { type Deletion, listUnnamed, noteDeletions } from "../../share/deletions.ts";
import type { ExchangeReport } from "../../share/exchange-report.ts";
import { exchangeSessions } from "../../share/exchange-sessions.ts";
import { findShared, introduceProject } from "../../share/join-projects.ts";
import { meetStore } from "../../share/meet-store.ts";
import { requireMeetable } from "../../share/new-store.ts";
import { locateOtherStore } from "../../share/open-other-store.ts";
import { notePushed } from "../../share/pushed-projects.ts";
import type { Store } from "../../storage/open-store.ts";
import { chooseProject } from "../../workspace/choose-project.ts";
import { followProjects } from "../../workspace/follow-projects.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { OpenProject, WritableProject } from "../../workspace/open-project.ts";
import { locatePlace } from "../../workspace/recognise-project.ts";
import type { CommandContext } from "../command-context.ts";
import { openProgress } from "../progress.ts";
import { renderBar } from "../render-bar.ts";
import { confirmNewStore } from "./confirm-new-store.ts";
import type { ShareChoice } from "./share-choice.ts";

/** What was exchanged with which store. */
export interface ExchangedHere {
  /** What messages call the other store. */
  readonly store: string;
  readonly report: ExchangeReport;
  /** Sessions that were deleted in one store and are kept in another, of which no person has heard yet. */
  readonly deletions: readonly Deletion[];
}

/** Brings sessions of this store to another one. */
export function pushHere(context: CommandContext, choice: ShareChoice): Promise<ExchangedHere> {
  return meet(context, choice, "make", async (here, there) => {
    const query = await chooseSessions(context, here, choice);
    if (query === "nothing") return nothing;
    // Before anything is sent: of a push that breaks off, others have a part.
    await notePushed(here.home, await listProjects(here.store, query), there.path);
    const place = await locatePlace(context.cwd);
    if (query.project === here.project.id) await introduceProject(there.projects, place, here.project);
    const ways = { source: here.store.replica, target: there.replica };
    return carry(context, { ...ways, query, machine: context.machine });
  });
}

/** Brings sessions of another store to this one. */
export function pullHere(context: CommandContext, choice: ShareChoice): Promise<ExchangedHere> {
  return meet(context, choice, "read", async (here, there) => {
    const place = await locatePlace(context.cwd);
    const project = await findShared(here.store.projects, there.projects, place);
    await followProjects(here.home, here.store.projects);
    const query = await chooseSessions(context, { store: there, project }, choice);
    if (query === "nothing") {
      context.err(describeUnknown(await there.projects.list()));
      return nothing;
    }
    const ways = { source: there.replica, target: here.store.replica };
    const report = await carry(context, { ...ways, query, targetMachine: context.machine });
    // What others took out is not to be found in the files here either; where somebody reads them, doctor tells.
    if (report.scrubbed > 0) await here.store.scrubber.wipe();
    return report;
  });
}

/** How many names of projects are told. */
const mostNames = 10;

/** Says why nothing was pulled where the other store does not have the project of this folder. */
function describeUnknown(projects: readonly Project[]): string {
  if (projects.length === 0) return "There is nothing in it yet: somebody has to push first.\n";
  const names = projects.slice(0, mostNames).map(({ name }) => toPrintableLine(name));
  const more = projects.length > names.length ? ", …" : "";
  return `It does not have the project of this folder, which is known by its first commit: a shallow clone lacks that. It has ${names.join(", ")}${more}: \`--project NAME\` pulls one, \`--all\` all.\n`;
}

const nothing: ExchangeReport = { sessions: 0, records: 0, entries: 0, scrubbed: 0, changes: [] };

async function meet(
  context: CommandContext,
  choice: ShareChoice,
  access: "make" | "read",
  work: (here: WritableProject, there: Store) => Promise<ExchangeReport>,
): Promise<ExchangedHere> {
  const home = locateHome(context.env, context.userHome);
  const site = await locateOtherStore({ home, cwd: context.cwd, name: choice.store });
  // Before the store of this machine is opened, which makes it where there is none.
  await requireMeetable(site, access);
  if (access === "make") await confirmNewStore(context, choice, site);
  return writeHere(context, async (here) => {
    const report = await meetStore(here, site, access, (there) => work(here, there));
    await noteDeletions(here.home, access === "make" ? "push" : "pull", site.path, report);
    return { store: site.path, report, deletions: await listUnnamed(here.home, here.store.log) };
  });
}

async function chooseSessions(
  context: CommandContext,
  source: Pick<OpenProject, "store" | "project">,
  choice: ShareChoice,
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

async function carry(
  context: CommandContext,
  ways: Pick<
    Parameters<typeof exchangeSessions>[0],
    "source" | "target" | "query" | "machine" | "targetMachine"
  >,
): Promise<ExchangeReport> {
  const progress = openProgress(context);
  return exchangeSessions({
    ...ways,
    now: context.clock.now(),
    onProgress: (done, total) => progress.show(renderBar(done, total, "sessions")),
  }).finally(() => progress.clear());
}
