/** How much is asked for before files are changed. */
export type Preset = "strict" | "relaxed" | "minimal";

export const presets: readonly Preset[] = ["strict", "relaxed", "minimal"];

const head = `# What must be done before files are changed, a command runs or a session stops.
# Committed with the project, it counts for all who trust the project. What is for you
# alone goes into requirements.local.yaml next to it, or into ~/.claude/requirements.yaml.

# The version of this format.
version: "1.0"

# false turns all gates off.
enabled: true

# false leaves out what ~/.claude/requirements.yaml says.
inherit: true
`;

const planHead = `  # The name is yours; \`carryon gate satisfy commit_plan\` says that it is done.
  commit_plan:
    # Without this line, or with false, it is not asked for.
    enabled: true
`;
const planScope = `    # How long it stays satisfied: session, branch, single_use or permanent.
    scope: session
`;

const plan = `${planHead}    # blocking: somebody must satisfy it.
    type: blocking
${planScope}    # What must wait for it.
    trigger_tools: [Edit, Write, MultiEdit, NotebookEdit]
    # Said whenever something has to wait.
    message: Say first what you are going to change, and in which commits.
    # Said instead when the same is refused again at once.
    short_message: The plan of the commits is still missing.
    # What it is for, in lists.
    description: A plan before the first change
    # Shown below the message.
    checklist:
      - The change is split into commits that can be reviewed one by one
      - The tests of each commit are named
    # The skill that a refusal names; running it satisfies the requirement.
    auto_resolve_skill: plan-review
`;

const decisionsReviewed = `
  adr_reviewed:
    enabled: true
    scope: session
    message: Look for the decisions that this change touches, and follow them.
    # Other skills that satisfy it: one, or a list.
    satisfied_by_skill: [arch-review]
`;

const testsPlanned = `
  tdd_planned:
    enabled: true
    scope: session
    message: Say which tests will fail before the change and pass after it.
    satisfied_by_skill: [arch-review]
`;

const designChecked = `
  solid_reviewed:
    enabled: true
    scope: session
    message: Check the design against the SOLID principles.
    satisfied_by_skill: [arch-review]
`;

const branchGuard = `
  protected_branch:
    enabled: true
    # guard: a condition, which only a person can lift with \`carryon gate approve\`.
    type: guard
    # protected_branch or single_session, which lets one session at a time work on a branch.
    guard_type: protected_branch
    # The branches on which nothing is edited.
    protected_branches: [main, master]
    message: This branch is not edited directly. Make a branch of your own first.
`;

const size = `
  branch_size:
    enabled: true
    # dynamic: a figure that changes with the work.
    type: dynamic
    # The lines that the branch changes, counted from where it left the main branch.
    calculator: branch_size
    # From warn on it is mentioned, from block on the triggers have to wait.
    thresholds:
      warn: 250
      block: 400
    # How long \`carryon gate approve\` lets the work go on: seconds, or 30s, 5m, 1h, 7d.
    approval_ttl: 1h
    # How long a figure is used before it is counted again.
    cache_ttl: 1m
    message: This branch has become large. Let somebody review what is there before it grows.
`;

const review = `
  pre_commit_review:
    enabled: true
    # single_use: needed anew after each command that it guards.
    scope: single_use
    trigger_tools:
      # A tool, and a regular expression (RE2) that is found in the command.
      - tool: Bash
        command_pattern: git\\s+(commit|merge|cherry-pick|revert)
    message: Review what is about to be committed.
    auto_resolve_skill: pre-commit
`;

const hooks = `
hooks:
  # What is done about files that a shell command writes, where a gate guards edits:
  # check looks at the work tree afterwards, block refuses, ignore does nothing.
  shell_writes: check
  session_start:
    # Whether the brief says how the gates stand.
    inject_context: true
    # Whether a session that goes on under a new id keeps what it has satisfied.
    carry_over:
      enabled: true
      # How many seconds may lie between the two.
      window_seconds: 300
      # What must have begun it.
      sources: [clear, compact]
  stop:
    # Whether a session may only stop when all that it has triggered is satisfied,
    # and for which scopes that holds.
    verify_requirements: true
    verify_scopes: [session, branch, single_use, permanent]
  session_end:
    # Whether what a session has satisfied is forgotten at its end.
    clear_session_state: false
`;

const planAtStop = `${planHead}${planScope}    # Nothing has to wait for it; it is asked for when the session stops.
    stop_only: true
    # Said when it is asked for.
    message: Say what you have changed, and how it is split into commits.
    # The skill that is named then; running it satisfies the requirement.
    auto_resolve_skill: plan-review

  reviewed:
    enabled: true
    scope: session
    stop_only: true
    message: Review your changes before you stop.
`;

const planAlone = `${planHead}${planScope}    # Said whenever an edit has to wait.
    message: Say first what you are going to change.
`;

/** Gates before the work, while it goes on, and before each commit. */
const strict = [plan, decisionsReviewed, testsPlanned, designChecked, branchGuard, size, review].join("");

const texts: Readonly<Record<Preset, string>> = {
  strict: `${head}\nrequirements:\n${strict}${hooks}`,
  relaxed: `${head}\nrequirements:\n${planAtStop}${branchGuard}`,
  minimal: `${head}\nrequirements:\n${planAlone}`,
};

/** Returns a requirements.yaml to begin with, in which a comment says of each setting what it does. */
export function renderPreset(preset: Preset): string {
  return texts[preset];
}
