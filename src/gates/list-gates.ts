import { describeLack, describeRemedy } from "./describe-refusal.ts";
import type { Gate, GateConfig } from "./gate.ts";
import { isOfSession, type Judgement, judge } from "./judge.ts";
import { activeGates } from "./verdict/ask-tool.ts";
import type { Facts } from "./verdict/facts.ts";

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
export function describeGates(rows: readonly GateRow[], branch: string): string {
  if (rows.length === 0) return "";
  const open = rows.filter(({ judgement }) => !judgement.satisfied);
  const count = `${rows.length - open.length} of ${rows.length} gates on ${branch} are satisfied.`;
  return [count, ...rows.map(describeRow)].join("\n");
}

function describeRow({ gate, judgement }: GateRow): string {
  if (judgement.satisfied) return `- [x] ${gate.name}`;
  const when = gate.stopOnly ? " It is asked for before the session stops." : "";
  const asked = shortenWords(gate);
  return `- [ ] ${gate.name}: ${describeLack(gate, judgement.lack)} ${asked}${describeRemedy(gate)}${when}`;
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
