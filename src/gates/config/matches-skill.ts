/** The skills that satisfy a requirement of these names whether the configuration says so or not. */
const planning = ["commit_plan", "adr_reviewed", "tdd_planned", "solid_reviewed"];
const reviews: readonly string[] = ["arch-review", "plan-review"];

/** Returns the skills that satisfy a requirement without being configured. */
export function builtInSkills(requirement: string): readonly string[] {
  return planning.includes(requirement) ? reviews : [];
}

/** Tells whether a skill that was used is one that is configured: namespaces and a slash before it do not count. */
export function matchesSkill(configured: string, used: string): boolean {
  const name = bareName(configured);
  return name !== "" && name === bareName(used);
}

function bareName(skill: string): string {
  return skill.trim().replace(/^\//, "").replace(/^.*:/s, "");
}
