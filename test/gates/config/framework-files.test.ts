import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTexts } from "../../support/gate-texts.ts";

const read = (name: string) => readFileSync(`test/fixtures/gates/framework-${name}.yaml`, "utf8");
const editing = ["Edit", "Write", "MultiEdit", "NotebookEdit"].map((tool) => ({ tool }));
const usual = { checklist: [], skills: [], stopOnly: false };

describe("files of the framework from which the format comes", () => {
  const { config, problems, notes } = readTexts({ user: read("user"), project: read("project") });

  it("are read without a problem", () => {
    expect(problems).toEqual([]);
  });

  it("mean what they mean there", () => {
    expect(config).toEqual({
      enabled: true,
      gates: [
        {
          ...usual,
          name: "commit_plan",
          type: "blocking",
          enabled: true,
          scope: "session",
          triggers: editing.slice(0, 3),
          message: expect.stringContaining("`/{auto_resolve_skill}`\n"),
          description: "A plan before the code.",
          checklist: ["Tests are named"],
          skills: ["requirements-framework:plan-review", "arch-review"],
          remedySkill: "requirements-framework:plan-review",
        },
        {
          ...usual,
          name: "ticket",
          type: "blocking",
          enabled: false,
          scope: "branch",
          triggers: editing,
          message: expect.stringContaining("#12"),
        },
        {
          ...usual,
          name: "protected_branch",
          type: "guard",
          guard: "protected_branch",
          enabled: true,
          scope: "session",
          triggers: editing.slice(0, 2),
          message: "Not on `{branch}`.",
          branches: ["master", "main"],
        },
        {
          ...usual,
          name: "one_session",
          type: "guard",
          guard: "single_session",
          enabled: false,
          scope: "session",
          triggers: editing,
        },
        {
          ...usual,
          name: "branch_size_limit",
          type: "dynamic",
          enabled: true,
          scope: "session",
          triggers: editing,
          message: "{total} lines of {block_threshold}: {summary}\n",
          calculator: "branch_size",
          thresholds: { warn: 250, block: 400 },
          approvalTtl: 3600,
          cacheTtl: 60,
        },
        {
          ...usual,
          name: "pre_commit_review",
          type: "blocking",
          enabled: true,
          scope: "single_use",
          triggers: [{ tool: "Bash", pattern: "git\\s+(commit|cherry-pick|revert|merge)" }],
          shortMessage: "Review first",
          skills: ["requirements-framework:pre-commit"],
          remedySkill: "requirements-framework:pre-commit",
        },
        {
          ...usual,
          name: "plan_mode",
          type: "blocking",
          enabled: false,
          scope: "session",
          triggers: [{ tool: "ExitPlanMode" }],
          skills: ["adr-guardian"],
          remedySkill: "adr-guardian",
        },
        {
          ...usual,
          name: "adr_reviewed",
          type: "blocking",
          enabled: true,
          scope: "session",
          triggers: editing.slice(0, 2),
          skills: ["arch-review", "plan-review"],
        },
        {
          ...usual,
          name: "pre_pr_review",
          type: "blocking",
          enabled: true,
          scope: "single_use",
          triggers: [{ tool: "Bash", pattern: "gh\\s+pr\\s+create" }],
          skills: ["requirements-framework:deep-review"],
          remedySkill: "requirements-framework:deep-review",
        },
        {
          ...usual,
          name: "tests_passing",
          type: "blocking",
          enabled: false,
          scope: "session",
          triggers: editing,
        },
        {
          ...usual,
          name: "release_branches",
          type: "guard",
          guard: "protected_branch",
          enabled: true,
          scope: "session",
          triggers: editing,
          branches: ["production", "release/*"],
        },
      ],
      injectContext: true,
      carryOver: { enabled: true, windowSeconds: 300, sources: ["clear", "compact"] },
      verifyAtStop: { enabled: true, scopes: ["session"] },
      shellWrites: "check",
      clearAtEnd: false,
    });
  });

  it("have settings that do nothing here, which only those are told who ask", () => {
    expect(notes.map(({ problem }) => problem)).toEqual(
      [
        "logging of the configuration",
        "console of the configuration",
        "debug of the configuration",
        "budgets of the configuration",
        "this auto_satisfy of the requirement ticket",
        "deprecated of the requirement plan_mode",
        "deprecated_message of the requirement plan_mode",
        "adr_path of the requirement adr_reviewed",
        "depends_on of the requirement tests_passing",
        "agent_teams of hooks",
        "session_learning of hooks",
        "qdrant of hooks",
        "retrieval of hooks",
        "injection_mode of hooks.session_start",
        "briefing_format of hooks.session_start",
        "custom_header of hooks.session_start",
      ].map((what) => `Carryon does nothing with ${what}.`),
    );
  });

  it("take one number for the threshold, and its own name for the time that it is kept", () => {
    const alone = readTexts({ project: read("project") }).config.gates.find(({ type }) => type === "dynamic");
    expect(alone).toMatchObject({ thresholds: { block: 600 }, cacheTtl: 30, approvalTtl: 300 });
  });
});
