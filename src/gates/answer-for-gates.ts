import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Head, readHead } from "../git/read-head.ts";
import { AppError } from "../lib/app-error.ts";
import { foldersUp } from "../lib/folders-up.ts";
import { trustFileName } from "../workspace/locate-home.ts";
import { answerHook, takeInStart, type WireHook } from "./answer-hook.ts";
import type { Gate, GateConfig } from "./gate.ts";
import { locateProjectFiles } from "./gate-places.ts";
import { type ClientSession, type GateSite, type HookAnswer, nothing } from "./gate-site.ts";
import { endPause, isPaused, locateHeldRules } from "./held/held-rules.ts";
import { isSettled } from "./hooks/before-tool.ts";
import { openSessionGates } from "./hooks/open-session-gates.ts";
import { type Facts, isMetBefore } from "./judge.ts";
import { locateUserFile } from "./may-have-gates.ts";
import {
  locatePass,
  locatePasses,
  lookAt,
  type Pass,
  type PassSource,
  passVersion,
  readPass,
} from "./pass.ts";
import { activeGates, askStop, guardsTool } from "./verdict/ask-tool.ts";

/** Answers an event of a session for the gates of its folder. What goes wrong is told, and stops nobody. */
export async function answerForGates(client: ClientSession, wire: WireHook): Promise<HookAnswer> {
  if (isPaused(client) && !isEdge(wire)) return nothing;
  const answer = await meetGates(client, wire, async (site) => {
    const isHere = !isElsewhere(client, wire, site);
    const answer = await answerHook(isHere ? site : { ...site, elsewhere: site.root }, wire);
    if (answer === nothing && isFrequent(wire)) await issuePass(client);
    return isHere ? answer : nameFolder(answer, client, site);
  });
  if (wire.hook_event_name === "SessionEnd") endPause(client);
  return answer;
}

/** Lets the gates of its folder take in that a session begins; how they stand, its brief says. */
export async function beginForGates(client: ClientSession, wire: WireHook): Promise<void> {
  await meetGates(client, wire, async (site) => {
    await takeInStart(site, wire);
    return nothing;
  });
}

async function meetGates(
  client: ClientSession,
  wire: WireHook,
  meet: (site: GateSite) => Promise<HookAnswer>,
): Promise<HookAnswer> {
  try {
    if (isNewStart(wire)) await (await import("./hooks/begin-anew.ts")).beginAnew(client);
    const site = await openSessionGates(client);
    if (site !== undefined) return await meet(site);
    if (isEdge(wire)) await (await import("./hooks/begin-anew.ts")).keepListed(client, wire);
    return nothing;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const hint = error.hint ?? "See `carryon doctor`.";
    client.tell({ path: client.cwd, problem: `was not asked for its gates: ${error.message}`, hint });
    return nothing;
  }
}

/** Tells whether somebody has begun or taken up a session, which then goes by what the files say. Compaction is no beginning. */
function isNewStart({ hook_event_name: event, source }: WireHook): boolean {
  return event === "SessionStart" && source !== "compact";
}

/** Tells whether the gates are of another work tree than the one that the client is in. */
function isElsewhere({ cwd, env }: ClientSession, { cwd: at }: WireHook, { root }: GateSite): boolean {
  if (typeof at !== "string" || at === cwd) return false;
  return readHead(at, { env })?.root !== root;
}

/** Says which gates are meant where something is refused for another repository than the one that it happens in. */
function nameFolder(answer: HookAnswer, { watches }: ClientSession, { root }: GateSite): HookAnswer {
  if (answer.type !== "deny" && answer.type !== "hold") return answer;
  const why = watches === "writes" ? ", to which this session has written" : "";
  return { ...answer, reason: `In ${root}${why}:\n${answer.reason}` };
}

/** Tells whether a session begins or ends: then others hear of it, whether it meets gates or not. */
function isEdge({ hook_event_name: event }: WireHook): boolean {
  return event === "SessionStart" || event === "SessionEnd";
}

/** Tells whether an event comes again and again in a session. */
function isFrequent({ hook_event_name: event }: WireHook): boolean {
  return event === "Stop" || /^(?:Pre|Post)ToolUse/.test(event);
}

/** How long a pass counts. */
const lasts = 600_000;

/**
 * Writes down what a session may do without its gates being asked, unless it has that already. Without it the next call
 * takes longer, and finds the same: where the disk does not let us look or write, there is none.
 */
async function issuePass(client: ClientSession): Promise<void> {
  try {
    await issue(client);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

async function issue(client: ClientSession): Promise<void> {
  const from = client.clock.now();
  if (readPass(client, from) !== undefined) return;
  const head = readHead(client.cwd, client);
  if (head === undefined || head === null) return;
  // Before anything is read: what changes meanwhile is seen when the pass is used.
  const seen = listSources(client, head);
  const until = new Date(from.getTime() + lasts);
  let isSound = true;
  const site = await openSessionGates({
    ...client,
    // It counts for whatever is asked about.
    watches: "all",
    tell: () => {
      isSound = false;
    },
  });
  const files = site?.files();
  if (site === undefined || files === undefined) return;
  const { state, metrics, behind } = files;
  const sources = [
    ...seen,
    lookAt("file", behind),
    ...[state, metrics].flatMap((path) => [lookAt("folder", dirname(path)), lookAt("file", path)]),
  ];
  const grant = await findGrant(site, until);
  // Of what is wrong with files, the user is told at every call.
  if (grant === undefined || !isSound) return;
  const { session, cwd, clientFolder } = client;
  write(client, {
    ...{ version: passVersion, session, cwd, clientFolder, folder: realpathSync(cwd) },
    ...{ from: from.getTime(), until: until.getTime(), sources, ...grant, metrics },
  });
}

/** Lists what decides which gates a session meets, and on which branch. */
function listSources({ home, session, cwd, clientFolder }: ClientSession, head: Head): readonly PassSource[] {
  const { root, gitFolder, commonFolder } = head;
  const { project, local } = locateProjectFiles(root);
  const of = (kind: PassSource["kind"], ...paths: readonly string[]) =>
    paths.map((path) => lookAt(kind, path));
  const inGit = ["HEAD", "commondir", "gitdir", "config", "config.worktree"];
  return [
    ...of("linked", locateUserFile(clientFolder), project, local, join(home, trustFileName)),
    ...of("file", locateHeldRules({ home, session, root })),
    ...of("folder", ...new Set([gitFolder, commonFolder])),
    ...of("file", ...new Set([...inGit.map((name) => join(gitFolder, name)), join(commonFolder, "config")])),
    ...foldersUp(realpathSync(cwd), root).flatMap((folder) => [
      ...of("folder", folder),
      // A repository that begins here would be another one.
      ...(folder === root ? [] : of("file", join(folder, ".git"), join(folder, "HEAD"))),
    ]),
    ...(gitFolder === join(root, ".git") ? [] : of("file", join(root, ".git"))),
  ];
}

function write(client: ClientSession, pass: Pass): void {
  const path = locatePass(client);
  const temp = `${path}.${process.pid}.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temp, JSON.stringify(pass), { mode: 0o600 });
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  removeOld(locatePasses(client.home), pass.from);
}

/** Removes the passes of sessions that have gone, and what killed writers have left. */
function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > 2 * lasts) rmSync(path, { force: true });
  }
}

/** What a session may do without its gates being asked, whatever it is written down with. */
type Grant = Pick<Pass, "guarded" | "shell" | "stop">;

/**
 * Finds out what a session may do until a moment without its gates being asked; undefined where that cannot be told. What
 * was satisfied is only ever lost as time goes by, so that what holds now and at that moment holds between them.
 */
async function findGrant(site: GateSite, until: Date): Promise<Grant | undefined> {
  const { config } = site;
  const gates = activeGates(config);
  const steady = gates.filter(isSteady);
  const facts = await site.facts(steady);
  if (facts === undefined) return undefined;
  const moments = [facts, { ...facts, now: until }];
  const isFree = (gate: Gate) =>
    isSteady(gate) && gate.scope !== "single_use" && moments.every((each) => isMetBefore(gate, each));
  const { typed, heldAt = [] } = await site.notes();
  return {
    guarded: Object.fromEntries(
      listTools(gates).map((tool) => [tool, gates.filter((gate) => guardsTool(gate, tool)).every(isFree)]),
    ),
    shell: moments.every((each) => isSettled(config, each)),
    stop:
      typed === undefined &&
      heldAt.length === 0 &&
      !site.isBehindWatched() &&
      moments.every((each) => mayStop(config, each)),
  };
}

/** Tells whether a gate goes by nothing but what was satisfied, and by the branch. */
function isSteady(gate: Gate): boolean {
  return gate.type === "blocking" || (gate.type === "guard" && gate.guard === "protected_branch");
}

function mayStop(config: GateConfig, facts: Facts): boolean {
  return activeGates(config).every(isSteady) && askStop(config, facts).length === 0;
}

function listTools(gates: readonly Gate[]): readonly string[] {
  return [...new Set(gates.flatMap(({ triggers }) => triggers.map(({ tool }) => tool)))];
}
