import { git } from "../git-repo.ts";
import type { Answers } from "../work-answers.ts";
import { everyGate, openGated } from "./gated-cli.ts";

const withWords = everyGate.replace("version", "verzion").replace("plan: { ", "plan: { checklist: [Scope], ");

/** Runs every form of `carryon gate` that answers in JSON, where it has something to say, and returns the answers. */
export async function collectGateAnswers(): Promise<Answers> {
  await using carryon = await openGated({ gates: withWords });
  const ask = async (...args: readonly string[]) =>
    JSON.parse(await carryon.ask(["gate", ...args, "--json"]));
  const status = await ask("status", "--branch", "main");
  await git(carryon.root, "branch", "gone");
  const changes = [
    await ask("approve", "size", "--session", "s1"),
    await ask("clear", "size", "--all-sessions"),
    await ask("satisfy", "reviewed", "--branch", "gone"),
    await ask("unpause"),
  ];
  await git(carryon.root, "branch", "--quiet", "-D", "gone");
  await ask("satisfy", "commit_plan", "--session", "s1", "--ttl", "1h");
  await carryon.live("s1");
  const satisfied = await ask("status", "--session", "s1");
  const sessions = await ask("sessions");
  const prune = await ask("prune");
  const { stdout } = await carryon.call(["gate", "explain", "--", "ls"]);
  await using untrusted = await openGated({ trust: false, env: { CLAUDE_SKIP_REQUIREMENTS: "1" } });
  await using empty = await openGated({ gates: "" });
  await untrusted.write(".claude/sessions.json", "{");
  await untrusted.write(".claude/requirements.yaml", "requirements: { own: { enabled: true } }\n");
  return {
    "gate-status": [status, satisfied, JSON.parse(await untrusted.ask(["gate", "--json"]))],
    status: [
      JSON.parse(await untrusted.ask(["status", "--json"])),
      JSON.parse(await carryon.ask(["status", "--json"])),
    ],
    "gate-change": changes,
    "gate-list": [await ask("list")],
    "gate-sessions": [sessions],
    "gate-prune": [prune],
    "gate-explain": [JSON.parse(stdout)],
    "gate-init": [JSON.parse((await empty.call(["gate", "init", "--json"])).stdout)],
  };
}
