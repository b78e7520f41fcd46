import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { renderShellWord } from "../../src/lib/shell-word.ts";
import type { ModelServer } from "./model-server/open-model-server.ts";
import { readScenario } from "./model-server/scenario.ts";
import { openRecordedClaude, type RecordedClaude } from "./recorded-claude.ts";
import { launcher } from "./test-context.ts";

/** The tools that the model of a shop may use without a question. */
export const shopTools = ["--allowedTools", "Bash Write Skill"];

/** A test that fails because of a sum that is wrong. */
export const wrongSum = {
  "sum.mjs": "export const sum = (a, b) => a - b;\n",
  "sum.test.mjs": [
    'import { strictEqual } from "node:assert";',
    'import { test } from "node:test";',
    'import { sum } from "./sum.mjs";',
    'test("adds two numbers", () => strictEqual(sum(1, 2), 3));',
    "",
  ].join("\n"),
};

const skill = "---\nname: plan-review\ndescription: Reviews the plan.\n---\nThe plan has been reviewed.\n";

/** A gate before edits, and the skill that satisfies it. */
export const gatedShop = {
  ".claude/requirements.yaml":
    "requirements:\n  commit_plan: { enabled: true, auto_resolve_skill: plan-review }\n",
  ".claude/skills/plan-review/SKILL.md": skill,
};

/** Makes a shop in which Carryon records, with some files, and a client whose model can run this `carryon`. */
export async function openShop(
  version: string,
  files: Readonly<Record<string, string>> = {},
): Promise<RecordedClaude> {
  const carryon = [process.execPath, launcher].map(renderShellWord).join(" ");
  const shop = await openRecordedClaude(version, {
    scenario: (folder) => readScenario("loop", { carryon, folder }),
  });
  for (const [name, text] of Object.entries(files)) {
    const path = join(shop.claude.cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return shop;
}

/** Returns all that the model had been told when it was last asked for a step of a rule, as one text. */
export function toldAt({ requests }: ModelServer, rule: string, step = 0): string {
  const request = requests.findLast((each) => each.rule === rule && each.step === step);
  const texts = (request?.body?.messages ?? []).map(({ content }) => JSON.stringify(content));
  return texts.join("\n").replaceAll("\\n", "\n").replaceAll('\\"', '"');
}
