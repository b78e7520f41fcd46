import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";

const senseless = [
  { args: ["satisfy"], says: "Say which gate to satisfy." },
  { args: ["clear"], says: "Say which gate to clear." },
  { args: ["explain"], says: "Say which command to explain, after --." },
  { args: ["approve", "size", "not_main"], says: "`carryon gate approve` takes one gate." },
  { args: ["status", "size"], says: "`carryon gate status` takes no name." },
  { args: ["approve", "size", "--all-sessions"], says: "`carryon gate approve` takes no --all-sessions." },
  { args: ["satisfy", "size", "--all-sessions"], says: "`carryon gate satisfy` takes no --all-sessions." },
  { args: ["list", "--preset", "strict"], says: "`carryon gate list` takes no --preset." },
  {
    args: ["clear", "size", "--all-sessions", "--branch"],
    says: "--branch and --all-sessions do not go together.",
  },
  {
    args: ["satisfy", "reviewed", "--session", "s1", "--branch"],
    says: "--branch and --session do not go together.",
  },
  { args: ["satisfy", "reviewed", "--branch", ""], says: "The name of a branch or of a session is empty." },
];

describe("a request of gates that makes no sense", () => {
  it("is refused, and records nothing", async () => {
    await using carryon = await openGated();
    for (const { args, says } of senseless) {
      const { code, stderr } = await carryon.call(["gate", ...args, "--json"]);
      const { code: named, message } = JSON.parse(stderr).error;
      expect([code, named, message]).toEqual([2, "bad-gate-request", says]);
    }
    expect(await carryon.state()).toBe(undefined);
  });

  it("is explained where a gate is taken for a branch", async () => {
    await using carryon = await openGated();
    expect((await carryon.call(["gate", "satisfy", "--branch", "commit_plan"])).stderr).toBe(
      'carryon: Say which gate to satisfy.\n  "commit_plan" is taken for a branch: put --branch at the end.\n',
    );
  });

  it("is refused where gates are kept nowhere", async () => {
    await using carryon = await openGated();
    await git(carryon.root, "checkout", "--quiet", "--detach");
    const codeOf = async (cwd: string, ...args: readonly string[]) => {
      const { code, stderr } = await carryon.call(["gate", ...args, "--json"], { cwd });
      return [code, JSON.parse(stderr).error.code];
    };
    const satisfy = ["satisfy", "commit_plan", "--session", "s1"];
    expect(await codeOf(carryon.root, ...satisfy)).toEqual([2, "no-branch"]);
    await carryon.write(".claude/requirements.yaml", "requirements: { commit_plan: { enabled: true } }\n");
    for (const args of [satisfy, ["clear", "commit_plan", "--all-sessions"], ["prune"], ["pause"], ["init"]])
      expect(await codeOf(carryon.folder, ...args)).toEqual([2, "no-repository"]);
  });

  it("names the configuration where that is why there is no such gate", async () => {
    await using carryon = await openGated({ gates: "requirements: [\n" });
    const { stderr } = await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"]);
    expect(stderr).toContain("The configuration is not in order; `carryon gate` says what is wrong.");
  });
});
