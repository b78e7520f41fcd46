import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readText } from "../../../src/lib/read-text.ts";

/** The key that the client is given; no server but ours would take it. */
const madeUpKey = "sk-made-up";

/** Returns the variables with which Claude Code talks to a model of ours and to nobody else. */
export function offlineVariables(url: string): Record<string, string> {
  return {
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: madeUpKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    DO_NOT_TRACK: "1",
  };
}

/**
 * Answers in a home what Claude Code would ask a person at its first start on a terminal: looks, key, trust, our server.
 *
 * Unanswered, it would try to reach its maker instead of our server. What the home says already stays. The folder that
 * is trusted is named by its real path, as Claude Code knows it.
 */
export async function answerFirstQuestions(home: string, cwd: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const path = join(home, ".claude.json");
  const known = JSON.parse((await readText(path)) ?? "{}");
  const answers = {
    theme: "dark",
    ...known,
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [madeUpKey], rejected: [] },
    projects: {
      ...known.projects,
      [cwd]: { ...known.projects?.[cwd], hasTrustDialogAccepted: true, enabledMcpjsonServers: ["carryon"] },
    },
  };
  await writeFile(path, JSON.stringify(answers));
}
