/** How long a satisfaction lasts. The names are those of the configuration. */
export type Scope = "session" | "branch" | "single_use" | "permanent";

export const scopes: readonly Scope[] = ["session", "branch", "single_use", "permanent"];

/** What is done about files that a shell command writes where a gate guards edits. */
export type ShellWrites = "block" | "check" | "ignore";

/** A call that a gate guards: of a tool, and with a pattern only of a command in which it is found. */
export interface Trigger {
  readonly tool: string;
  /** A regular expression in the syntax of RE2. */
  readonly pattern?: string;
}

interface GateBase {
  readonly name: string;
  readonly enabled: boolean;
  readonly scope: Scope;
  readonly triggers: readonly Trigger[];
  readonly message?: string;
  readonly shortMessage?: string;
  readonly description?: string;
  readonly checklist: readonly string[];
  /** The skills that satisfy it, by their names without a namespace or with it. */
  readonly skills: readonly string[];
  /** The skill that a refusal names; one of `skills`. */
  readonly remedySkill?: string;
  /** Whether it never refuses a tool and is only asked for when the session stops. */
  readonly stopOnly: boolean;
  /** That of all gates unless given. */
  readonly shellWrites?: ShellWrites;
}

/** A requirement that somebody must satisfy. */
export interface BlockingGate extends GateBase {
  readonly type: "blocking";
}

/** A requirement on a figure that changes with the work. */
export interface DynamicGate extends GateBase {
  readonly type: "dynamic";
  readonly calculator: "branch_size";
  readonly thresholds: { readonly warn?: number; readonly block?: number };
  /** Seconds that an approval lasts. */
  readonly approvalTtl: number;
  /** Seconds that a figure is taken for the present one. */
  readonly cacheTtl: number;
}

/** A requirement on where the work is done. */
interface ProtectedBranchGate extends GateBase {
  readonly type: "guard";
  readonly guard: "protected_branch";
  readonly branches: readonly string[];
}

/** A requirement that no other session works on the same branch. */
interface SingleSessionGate extends GateBase {
  readonly type: "guard";
  readonly guard: "single_session";
}

/** A requirement that must be satisfied before a tool may run or a session may stop. */
export type Gate = BlockingGate | DynamicGate | ProtectedBranchGate | SingleSessionGate;

/** When a session begins with what another had satisfied. */
interface CarryOver {
  readonly enabled: boolean;
  readonly windowSeconds: number;
  /** The sources of a start that continue the same work. */
  readonly sources: readonly string[];
}

/** All that the configuration says, with what it leaves out filled in. */
export interface GateConfig {
  readonly enabled: boolean;
  readonly gates: readonly Gate[];
  readonly injectContext: boolean;
  readonly carryOver: CarryOver;
  /** Whether a stop is held against the gates, and against those of which scopes. */
  readonly verifyAtStop: { readonly enabled: boolean; readonly scopes: readonly Scope[] };
  readonly shellWrites: ShellWrites;
  /** Whether what a session satisfied goes with its end. */
  readonly clearAtEnd: boolean;
}

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
