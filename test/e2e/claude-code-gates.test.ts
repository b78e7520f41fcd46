import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { planning } from "../support/gates/seed-world.ts";
import { git } from "../support/git-repo.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { openRecordedClaude } from "../support/recorded-claude.ts";
import { shopTools, toldAt } from "../support/shop.ts";

const files = {
  ".claude/requirements.yaml": `${planning}  pre_commit_review:
    enabled: true
    scope: single_use
    trigger_tools: [{ tool: Bash, command_pattern: git\\s+commit }]
    auto_resolve_skill: pre-commit
`,
  ".claude/skills/pre-commit/SKILL.md":
    "---\nname: pre-commit\ndescription: Reviews a commit.\n---\nThe commit has been reviewed.\n",
};

/** Opens a shop with the requirements of the seed, on a branch of its own; the skills of planning are those of init. */
async function openGatedShop(version: string) {
  const shop = await openRecordedClaude(version, {
    scenario: (folder) => readScenario("gates", { folder }),
  });
  const { cwd } = shop.claude;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  await git(cwd, "config", "user.email", "ada@example.com");
  await git(cwd, "config", "user.name", "Ada");
  await git(cwd, "checkout", "--quiet", "-b", "feature/test");
  return shop;
}

describe.each(["2.1.325", "2.1.197"])("the workflows of seed 2 in Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  // Seed 2: 2.5, 4.4, 6.3
  it("plan in one session, review before each commit, and implement in another", async () => {
    await using shop = await openGatedShop(version);
    const { claude, server } = shop;
    const run = async (prompt: string) => {
      const { result } = await claude.run(prompt, shopTools);
      return { said: result?.result, key: result?.session_id.slice(0, 8) ?? "" };
    };
    const state = async () => {
      const text = await readFile(join(claude.cwd, ".git/requirements/feature-test.json"), "utf8");
      const { commit_plan, pre_commit_review } = JSON.parse(text).requirements;
      return { plans: commit_plan.sessions, reviews: pre_commit_review.sessions };
    };
    const satisfied = expect.objectContaining({ satisfied: true, satisfied_by: "skill" });

    const plan = await run("plan the cart");
    expect(plan.said).toBe("The cart is planned.");
    const told = toldAt(server, "plan the cart", 8);
    // Workflow 1: the plan is asked for, and the skill that init brought satisfies it.
    expect(told).toContain("The gate commit_plan is not satisfied.\nRun /arch-review, or do");
    // Workflow 3: a review is asked for before each commit, also after the one that used it up. The brief names it too.
    const refusals =
      /(?<!pre_commit_review: )The gate pre_commit_review is not satisfied\.\sRun \/pre-commit/g;
    expect(told.match(refusals)).toHaveLength(2);
    expect(await git(claude.cwd, "log", "--format=%s", "-1")).toBe("cart");
    expect(await state()).toEqual({ plans: { [plan.key]: satisfied }, reviews: {} });

    // Workflow 2: a new session on the same branch is asked again.
    const implement = await run("implement the cart");
    expect(implement.said).toBe("The cart has a label.");
    expect(toldAt(server, "implement the cart", 1)).toContain("The gate commit_plan is not satisfied.");
    expect(await readFile(join(claude.cwd, "label.txt"), "utf8")).toBe("cart\n");
    expect((await state()).plans).toEqual({ [plan.key]: satisfied, [implement.key]: satisfied });
    expect(JSON.parse(await shop.carryon("gate", "sessions", "--json")).sessions).toEqual([]);
  });
});
