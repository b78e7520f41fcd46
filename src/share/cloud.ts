import { type AppError, configError, ioError } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { findRun } from "../sessions/find-session.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Replica } from "../sessions/replica.ts";
import type { StoreSite } from "../storage/store-site.ts";
import { followProjects } from "../workspace/follow-projects.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { readConfig } from "../workspace/read-config.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import { readCloud } from "./cloud-setting.ts";
import type { ExchangeReport } from "./exchange-report.ts";
import { exchangeSessions } from "./exchange-sessions.ts";
import { findShared, introduceProject } from "./join-projects.ts";
import { meetStore } from "./meet-store.ts";
import { locateOtherStore, serverSite } from "./open-other-store.ts";
import { notePushed } from "./pushed-projects.ts";

/** Where a run is, and when. */
interface CloudPlace {
  readonly cwd: string;
  readonly machine: string;
  readonly clock: Clock;
}

/** How long an exchange may take; what is left comes with the next one. */
const deadlineMs = 60_000;

/** Returns what brings a session to the store in the cloud. That can be reached, or this throws. */
export async function cloudWriter(
  here: WritableProject,
  session: SessionId,
  { cwd, machine, clock }: CloudPlace,
): Promise<() => Promise<void>> {
  const { store, project, home } = here;
  const site = await locateCloud(home);
  const place = await locatePlace(cwd);
  await meetStore(here, site, "make", (there) => introduceProject(there.projects, place, project));
  return () =>
    meetStore(here, site, "make", async (there) => {
      // Before anything is sent: of what breaks off, others have a part.
      await notePushed(home, [project.id], there.path);
      const ways = { source: store.replica, target: there.replica, query: { sessions: [session] } };
      const signal = AbortSignal.timeout(deadlineMs);
      requireWhole(await exchangeSessions({ ...ways, machine, now: clock.now(), signal }));
    });
}

/** Takes a run from the store in the cloud, and returns it: the one that is named, else the latest of the project there. */
export async function pullFromCloud(
  here: WritableProject,
  named: string | undefined,
  { cwd, machine, clock }: CloudPlace,
): Promise<SessionId> {
  const { store, home } = here;
  return meetStore(here, await locateCloud(home), "read", async (there) => {
    const project = await findShared(store.projects, there.projects, await locatePlace(cwd));
    await followProjects(home, store.projects);
    const now = clock.now();
    const { id } = await findRun(there.log, named, { project: project?.id, now, machines: "all" });
    const ways = { source: there.replica, target: store.replica, query: { sessions: [id] } };
    const signal = AbortSignal.timeout(deadlineMs);
    requireWhole(await exchangeSessions({ ...ways, targetMachine: machine, now, signal }));
    return findArrived(store.replica, there.replica, id);
  });
}

/** Where both went on, what came is a fork beside the one that is here, and is what was asked for. */
async function findArrived(here: Replica, there: Replica, id: SessionId): Promise<SessionId> {
  const [source] = (await Array.fromAsync(there.heads({ sessions: [id] }))).flat();
  if (source === undefined) return id;
  const family = await here.relatives([source.knownAs]);
  return family.find(({ head, deletedAt }) => head === source.head && deletedAt === null)?.session ?? id;
}

async function locateCloud(home: string): Promise<StoreSite> {
  const { cloud } = await readConfig(home, () => ({ cloud: readCloud }));
  if (cloud === undefined) throw noCloud();
  if (cloud.type === "server") return serverSite(cloud.url, home);
  return locateOtherStore({ home, cwd: home, name: cloud.path });
}

function requireWhole({ changes }: ExchangeReport): void {
  const failed = changes.find(({ type }) => type === "failed");
  if (failed === undefined) return;
  throw ioError(
    "not-exchanged",
    `Session ${failed.session} could not be brought. ${failed.reason ?? ""}`.trim(),
    { hint: "`carryon verify` says what is wrong with a session." },
  );
}

function noCloud(): AppError {
  return configError("no-cloud", "No store in the cloud is set.", {
    hint: "Write `cloud: postgres://user@host/database` into config.yaml of the home folder.",
  });
}
