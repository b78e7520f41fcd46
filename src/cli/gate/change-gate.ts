import {
  clearGate,
  type GateAudience,
  type GateChanged,
  type GateSatisfied,
  requireGates,
  satisfyGates,
} from "../../gates/change-gates.ts";
import { findSessionIfClear } from "../../gates/choose-gate-session.ts";
import type { Gate } from "../../gates/gate.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { holdDesk, holdForAll } from "../../gates/hold-desk.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { isPerson, requirePerson } from "../require-person.ts";
import { branchOf, findAudience } from "./gate-audience.ts";
import { type GateRequest, usage } from "./gate-request.ts";
import { parseGrant } from "./parse-grant.ts";

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
