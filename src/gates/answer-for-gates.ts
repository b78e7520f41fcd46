import { readHead } from "../git/read-head.ts";
import { AppError } from "../lib/app-error.ts";
import { answerHook, takeInStart, type WireHook } from "./answer-hook.ts";
import { type ClientSession, type GateSite, type HookAnswer, nothing } from "./gate-site.ts";
import { issuePass } from "./hooks/issue-pass.ts";
import { openSessionGates } from "./hooks/open-session-gates.ts";

/** Answers an event of a session for the gates of its folder. What goes wrong is told, and stops nobody. */
export function answerForGates(client: ClientSession, wire: WireHook): Promise<HookAnswer> {
  return meetGates(client, wire, async (site) => {
    const isHere = !isElsewhere(client, wire, site);
    const answer = await answerHook(isHere ? site : { ...site, elsewhere: site.root }, wire);
    if (answer === nothing && isFrequent(wire)) await issuePass(client);
    return isHere ? answer : nameFolder(answer, client, site);
  });
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
