import { matchesSkill } from "../config/matches-skill.ts";
import type { Gate, GateConfig } from "../gate.ts";
import { type GateSite, type HookAnswer, nothing } from "../gate-site.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import { satisfy } from "../verdict/satisfy.ts";

/** Satisfies all gates that a skill stands for. What only a person may allow, no skill does. */
export async function satisfyBySkill(site: GateSite, skill: string): Promise<HookAnswer> {
  const gates = findBySkill(site.config, skill);
  if (gates.length === 0) return nothing;
  const metadata = { skill };
  await site.change(gates, (facts) => gates.map((gate) => satisfy(gate, facts, { by: "skill", metadata })));
  await site.count({ skill, satisfied: gates.map(({ name }) => name) });
  return nothing;
}

/** Returns the gates that a skill stands for. */
export function findBySkill(config: GateConfig, skill: string): readonly Gate[] {
  return activeGates(config).filter(
    ({ type, skills }) => type === "blocking" && skills.some((name) => matchesSkill(name, skill)),
  );
}
