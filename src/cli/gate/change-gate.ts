import {
  clearGate,
  type GateAudience,
  type GateChanged,
  type GateSatisfaction,
  type GateSatisfied,
  noBranch,
  noRepository,
  requireGates,
  satisfyGates,
} from "../../gates/change-gates.ts";
import { findOwnSession, findSessionIfClear, requireGateSession } from "../../gates/choose-gate-session.ts";
import type { Gate } from "../../gates/gate.ts";
import { type GateDesk, refuseDoubtful } from "../../gates/gate-desk.ts";
import { holdDesk, holdForAll } from "../../gates/hold-desk.ts";
import { isRunByAgent } from "../../gates/is-run-by-agent.ts";
import { isJsonObject } from "../../gates/json-object.ts";
import { isOfSession } from "../../gates/judge.ts";
import { normalizeSessionId } from "../../gates/session-key.ts";
import { toSeconds } from "../../gates/to-seconds.ts";
import { listBranches } from "../../git/list-branches.ts";
import { usageError } from "../../lib/app-error.ts";
import { parseIfJson } from "../../lib/json.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { suggest } from "../../lib/suggest.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { isPerson, requirePerson } from "../require-person.ts";
import { type GateRequest, usage } from "./gate-request.ts";

/** Says that gates are satisfied, or allows one for a while. */
export async function satisfyOrApprove(
  context: CommandContext,
  found: GateDesk,
  request: GateRequest,
): Promise<void> {
  const { what } = request;
  const here = await holdHere(context, found, request);
  const gates = requireGates(here, [...new Set(request.names)]);
  const grant = parseGrant(request, gates);
  const guarded = gates.find(({ type }) => type !== "blocking");
  if (what === "approve") await requirePerson(context, "Only a person approves what a gate is against");
  else if (guarded !== undefined) {
    await requirePerson(context, `Only a person satisfies a gate such as ${guarded.name}`);
  }
  const audience = await findAudience(context, here, request, gates);
  const changed = await satisfyGates(here, gates, audience, grant);
  report(context, request, changed, [
    ...describeSatisfied(changed.satisfied ?? [], audience),
    ...gates.flatMap((gate) => (gate.enabled ? [] : [describeOff(gate)])),
  ]);
}

/** What a session is held to counts for what is said of its gates, whatever has become of the files. */
async function holdHere(
  context: CommandContext,
  found: GateDesk,
  { session: named }: GateRequest,
): Promise<GateDesk> {
  const session = await findSessionIfClear(context, found, named);
  return session === null ? holdForAll(found) : holdDesk(found, session).desk;
}

/** Says in a line for each reach and end what is satisfied. */
function describeSatisfied(
  satisfied: readonly GateSatisfied[],
  { branch, session }: GateAudience,
): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { gate, forAll, expiresAt } of satisfied) {
    const whose = forAll ? `for all sessions of ${branch}` : `in session ${session}`;
    const until = expiresAt === null ? "" : ` until ${expiresAt.toISOString()}`;
    const names = lines.get(whose + until) ?? [];
    lines.set(whose + until, [...names, gate]);
  }
  return [...lines].map(([reach, names]) => `Satisfied ${reach}: ${names.join(", ")}`);
}

function describeOff({ name }: Gate): string {
  return `${name} is turned off, and asks for nothing until \`carryon gate enable ${renderShellWord(name)}\`.`;
}

/** Forgets what has become of a gate. */
export async function clear(context: CommandContext, found: GateDesk, request: GateRequest): Promise<void> {
  const here = await holdHere(context, found, request);
  const [gate] = requireGates(here, request.names);
  if (gate === undefined) throw usage("Say which gate to clear.");
  if (request.branch !== undefined || request.allSessions)
    await requirePerson(context, "Only a person clears what counts for other sessions than this");
  const audience = request.allSessions
    ? ({ branch: branchOf(here, request), session: "every-session" } as const)
    : await findAudience(context, here, request, [gate]);
  // What a session has done past a gate, it does not talk itself out of.
  const clearing = (await isPerson(context)) ? "all" : "satisfaction";
  const changed = await clearGate(here, gate, audience, clearing);
  const whose = describeWhose(audience);
  const said = changed.changed
    ? `Cleared ${whose}: ${gate.name}`
    : `There was nothing to clear ${whose}: ${gate.name}`;
  report(context, request, changed, [
    said,
    ...(changed.remains ? [describeRest(gate, audience.branch, here.branch)] : []),
  ]);
}

function describeWhose({ branch, session }: Parameters<typeof clearGate>[2]): string {
  if (session === "every-session") return "for every session";
  return typeof session === "string" ? `in session ${session}` : `for all sessions of ${branch}`;
}

function describeRest({ name }: Gate, branch: string, current: string | null): string {
  const which = branch === current ? "" : ` ${renderShellWord(branch)}`;
  return `It counts for all sessions of ${branch} all the same: \`carryon gate clear ${renderShellWord(name)} --branch${which}\` ends that.`;
}

function report(
  context: CommandContext,
  { json }: GateRequest,
  changed: GateChanged,
  said: readonly string[],
): void {
  for (const { path, problem } of changed.problems) context.warn(`${path} ${problem}.`);
  if (json) context.out(`${renderJson({ changed: changed.changed })}\n`);
  else context.err(said.map((line) => `${toPrintableLine(line)}\n`).join(""));
}

/** Reads how gates are to be satisfied. */
function parseGrant(request: GateRequest, gates: readonly Gate[]): GateSatisfaction {
  const metadata = parseMetadata(request);
  const ttl = parseTtl(request, gates);
  return {
    by: request.what === "approve" ? "approval" : "cli",
    ...(metadata && { metadata }),
    ...(ttl !== undefined && { ttl }),
  };
}

const defaultApproval = 300;

/** Returns how long it counts, in milliseconds: an approval for a while, everything else until it is cleared. */
function parseTtl({ what, ttl }: GateRequest, gates: readonly Gate[]): number | undefined {
  if (ttl !== undefined) return parseGivenTtl(ttl);
  if (what !== "approve") return undefined;
  const [gate] = gates;
  return (gate?.type === "dynamic" ? gate.approvalTtl : defaultApproval) * 1000;
}

function parseGivenTtl(text: string): number {
  const seconds = toSeconds(text);
  if (seconds > 0) return seconds * 1000;
  throw usageError(
    "bad-duration",
    `${JSON.stringify(text.slice(0, 40))} is not a duration that a gate can be satisfied for.`,
    { hint: "Give seconds, or a number and a unit, such as 30s, 5m, 1h or 7d." },
  );
}

function parseMetadata({ what, metadata }: GateRequest): Readonly<Record<string, unknown>> | undefined {
  if (metadata === undefined) return what === "approve" ? { approved_by: "user" } : undefined;
  const value = parseIfJson(metadata);
  if (isJsonObject(value)) return value;
  throw usage("The metadata are no JSON object.", `Give them as in --metadata '{"ticket":"#12"}'.`);
}

/** Finds out for whom something is said of gates. Only what is kept for a session needs one. */
async function findAudience(
  context: CommandContext,
  here: GateDesk,
  request: GateRequest,
  gates: readonly Gate[],
): Promise<GateAudience> {
  const branch = branchOf(here, request);
  const isForAll = request.branch !== undefined;
  if (isForAll) {
    if (request.what !== "clear") await requireBranch(here, branch);
    if (gates.some(isOfSession) || branch !== here.branch)
      await requirePerson(context, "Only a person speaks for other sessions than this");
    return { branch, session: { all: true } };
  }
  if (request.what !== "clear" && request.session === undefined && !gates.some(isOfSession)) {
    return { branch, session: { all: true } };
  }
  const session = await requireGateSession(context, here, request.session);
  await requireOwn(context, here, session);
  await refuseDoubtful(here, request, session, branch);
  return { branch, session };
}

/** An agent speaks for itself, as far as it is known which session that is. */
async function requireOwn(context: CommandContext, here: GateDesk, session: string): Promise<void> {
  if (!(await isRunByAgent(context))) return;
  const own = await findOwnSession(context, here);
  if (own === undefined || normalizeSessionId(own) === normalizeSessionId(session)) return;
  await requirePerson(context, "Only a person speaks for other sessions than this");
}

/** Returns the branch that is meant; that of the work tree unless another is named. */
function branchOf(here: GateDesk, { branch }: GateRequest): string {
  if (here.place === undefined) throw noRepository(here);
  const meant = typeof branch === "string" ? branch : here.branch;
  if (meant !== null) return meant;
  throw noBranch();
}

/** What is kept of a branch that is not there goes with the next `prune`. */
async function requireBranch({ root, branch: current }: GateDesk, branch: string): Promise<void> {
  if (branch === current) return;
  const known = await listBranches(root);
  if (known === undefined || known.has(branch)) return;
  const near = suggest(branch, known);
  throw usageError("no-such-branch", `There is no branch ${JSON.stringify(branch.slice(0, 80))} here.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(", or ")}?` : "List the branches with `git branch`.",
  });
}
