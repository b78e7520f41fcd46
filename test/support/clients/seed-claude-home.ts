import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The key that clients are given; no server but ours would take it. */
export const madeUpKey = "sk-test";

/**
 * Answers in a home what Claude Code would ask a person at its first start on a terminal: looks, key, trust.
 *
 * Unanswered, it would try to reach its maker instead of our server. What the home says already stays.
 */
export async function seedClaudeHome(home: string, cwd: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const path = join(home, ".claude.json");
  const known = existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : {};
  const seeded = {
    theme: "dark",
    ...known,
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [madeUpKey], rejected: [] },
    projects: { ...known.projects, [cwd]: { ...known.projects?.[cwd], hasTrustDialogAccepted: true } },
  };
  await writeFile(path, JSON.stringify(seeded));
}
