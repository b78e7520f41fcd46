import { renderShellWord } from "../lib/shell-word.ts";
import type { Gate, GateConfig } from "./gate.ts";
import { type Facts, isOfSession, type Judgement, judge, type Lack } from "./judge.ts";
import type { Remedies } from "./remedies.ts";
import { activeGates, type Refusal, type Warning } from "./verdict/ask-tool.ts";

/** Where the words of a message are filled in. */
export interface Wording extends Remedies {
  readonly branch: string;
  readonly session: string;
  /** The top of the work tree whose gates they are, where that is another one than the client is in. */
  readonly elsewhere?: string;
  /** Whether the files of the gates have changed since the session began, and do not count yet. */
  readonly isOutdated?: boolean;
}

/** Describes why gates are against something, with what the user asked for and how each is satisfied. */
export function describeRefusals(refusals: readonly Refusal[], wording: Wording): string {
  const outdated = wording.isOutdated === true ? [describeOutdated(wording)] : [];
  return [...refusals.map((refusal) => describeRefusal(refusal, wording)), ...outdated].join("\n\n");
}

function describeOutdated(wording: Wording): string {
  const reload = `\`${programIn(wording)} gate reload\``;
  return `The files of the gates have changed since this session began; what they say now counts for it when a person runs ${reload} in a terminal.`;
}

/** Returns the words that run Carryon in the repository of the gates, from where the client is. */
function programIn({ elsewhere, findProgram }: Pick<Wording, "elsewhere" | "findProgram">): string {
  return `${elsewhere === undefined ? "" : `cd ${renderShellWord(elsewhere)} && `}${findProgram()}`;
}

/** Describes the same in a line for each, for somebody who has just read it in full. */
export function describeShortly(refusals: readonly Refusal[], wording: Wording): string {
  return refusals
    .map(({ gate, lack }) => {
      const said =
        gate.shortMessage === undefined ? describeLack(gate, lack) : fill(gate.shortMessage, gate, wording);
      return `${said} ${describeRemedy(gate, wording)}`;
    })
    .join("\n");
}

/** Describes in a line what holds a stop, for somebody who has read it in full when the stop before was held. */
export function describeAgain(refusals: readonly Refusal[], wording: Wording): string {
  const names = refusals.map(({ gate }) => gate.name).join(", ");
  const program = programIn(wording);
  return `Still not satisfied: ${names} (\`${program} gate\` says how). A person lets this session stop with \`${program} gate pause --until-end\` in a terminal.`;
}

function describeRefusal({ gate, lack }: Refusal, wording: Wording): string {
  const message = gate.message ?? gate.description;
  const checklist = gate.checklist.map((item) => `- [ ] ${fill(item, gate, wording)}`);
  return [
    describeLack(gate, lack),
    ...(message === undefined ? [] : [fill(message, gate, wording).trimEnd()]),
    ...checklist,
    describeRemedy(gate, wording),
  ].join("\n");
}

/** Describes what a gate lacks, in a sentence. */
export function describeLack({ name }: Gate, lack: Lack): string {
  switch (lack.type) {
    case "never":
      return `The gate ${name} is not satisfied.`;
    case "expired":
      return `The gate ${name} is no longer satisfied: that lasted until ${lack.at.toISOString()}.`;
    case "over":
      return `The gate ${name} stops at ${lack.limit} changed lines, and the branch has ${lack.figure}.`;
    case "protected":
      return `The gate ${name} protects the branch ${lack.branch}.`;
    case "shared":
      return `The gate ${name} wants one session a branch, and others work on this one: ${lack.others.join(", ")}.`;
  }
}

/** Describes a figure that is near its limit. */
export function describeWarning({ gate, figure }: Warning): string {
  const limit = gate.type === "dynamic" ? gate.thresholds.block : undefined;
  const end = limit === undefined ? "" : ` It stops at ${limit}.`;
  return `The gate ${gate.name} warns: the branch has ${figure} changed lines.${end}`;
}

/**
 * Describes how a gate is satisfied, in a sentence. A command that it names works from where the client is, and a skill is
 * named where the client has it.
 */
export function describeRemedy(gate: Gate, wording: Remedies & Pick<Wording, "elsewhere">): string {
  const { elsewhere } = wording;
  const name = renderName(gate.name);
  const program = programIn(wording);
  const inGit = elsewhere === undefined ? "" : ` -C ${renderShellWord(elsewhere)}`;
  const approve = `a person can allow it for a while in a terminal with \`${program} gate approve ${name}\``;
  switch (gate.type) {
    case "blocking": {
      const byHand = `\`${program} gate satisfy ${name}\``;
      const skill = wording.findSkill(gate.skills);
      return skill === undefined
        ? `Do what it asks for, and then run ${byHand}.`
        : `Run /${skill}, or do what it asks for and then run ${byHand}.`;
    }
    case "dynamic":
      return `Bring the work so far to an end first, in a branch of its own; or ${approve}.`;
    case "guard":
      return gate.guard === "protected_branch"
        ? `Work on a branch of your own: \`git${inGit} switch -c NAME\`; or ${approve}.`
        : `Let the other session end first; or ${approve}.`;
  }
}

/** Returns a name as a command takes it: one word of a shell, and no option. */
function renderName(name: string): string {
  return `${name.startsWith("-") ? "-- " : ""}${renderShellWord(name)}`;
}

/** Fills in the names that messages of the configuration may refer to. */
function fill(text: string, gate: Gate, { branch, session }: Wording): string {
  const words: Readonly<Record<string, string | undefined>> = {
    req_name: gate.name,
    branch,
    session_id: session,
    auto_resolve_skill: gate.remedySkill,
  };
  return text.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
}

/** How a gate stands for a session. */
export interface GateRow {
  readonly gate: Gate;
  readonly triggered: boolean;
  readonly judgement: Judgement;
  /** How it was last satisfied, whether or not that still counts. */
  readonly satisfiedBy: string | null;
  readonly expiresAt: Date | null;
  /** What is measured now, of a dynamic gate. */
  readonly figure?: number;
}

/** Returns how the gates that count stand, in the order of the configuration. */
export function listGates(config: GateConfig, facts: Facts): readonly GateRow[] {
  return activeGates(config).map((gate) => {
    const judgement = judge(gate, facts);
    const own = facts.state.standing(gate.name, facts.session);
    const recorded =
      (judgement.satisfied ? judgement.by : undefined) ??
      (isOfSession(gate) ? own : facts.state.standing(gate.name, "all"));
    const figure = facts.figures.get(gate.name);
    return {
      gate,
      triggered: own.triggered,
      judgement,
      satisfiedBy: recorded.satisfied ? recorded.satisfiedBy : null,
      expiresAt: recorded.satisfied ? recorded.expiresAt : null,
      ...(figure !== undefined && { figure }),
    };
  });
}

/** Describes how the gates stand, for somebody who begins to work with them; empty where there are none. */
export function describeGates(rows: readonly GateRow[], branch: string, remedies: Remedies): string {
  if (rows.length === 0) return "";
  const open = rows.filter(({ judgement }) => !judgement.satisfied);
  const count = `${rows.length - open.length} of ${rows.length} gates on ${branch} are satisfied.`;
  return [count, ...rows.map((row) => describeRow(row, remedies))].join("\n");
}

function describeRow({ gate, judgement }: GateRow, remedies: Remedies): string {
  if (judgement.satisfied) return `- [x] ${gate.name}`;
  const when = gate.stopOnly ? " It is asked for before the session stops." : "";
  const asked = shortenWords(gate);
  return `- [ ] ${gate.name}: ${describeLack(gate, judgement.lack)} ${asked}${describeRemedy(gate, remedies)}${when}`;
}

const longest = 160;

/**
 * Returns what a gate asks for in a line, as far as a brief has room for it; a refusal says it in full.
 *
 * The short message is said to somebody who has heard the message before.
 */
function shortenWords({ shortMessage, message, description }: Gate): string {
  const [first = ""] = (message ?? description ?? shortMessage ?? "").trim().split("\n");
  const text = first.trim().replace(/\s+/g, " ");
  if (text === "") return "";
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return `It asks for: ${JSON.stringify(cut)}. `;
}
