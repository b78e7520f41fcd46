import { describe, expect, it } from "vitest";
import { toToolCall } from "../../../src/gates/hooks/to-tool-call.ts";
import { guardsCall } from "../../../src/gates/verdict/ask-tool.ts";
import { blocking, configOf } from "../../support/gates/gates.ts";

const pattern = String.raw`git\s+(commit|merge)\b`;
const config = configOf([blocking({ triggers: [{ tool: "Bash", pattern }] })]);

async function isFound(command: string): Promise<boolean> {
  const wire = { tool_name: "Bash", tool_input: { command } };
  return (await toToolCall(wire, { config, root: "/", plans: [] }))?.shell?.found.has(pattern) ?? false;
}

describe("the pattern of a gate", () => {
  it.each([
    "git commit -m x",
    "git  commit",
    "GIT Commit",
    "cd a && git commit",
    "g''it commit",
    '"git" commit',
    "\\git commit",
    "/usr/bin/git commit",
    "git -C here commit",
    "git -c user.name=x --no-pager commit -m y",
    "X=git; $X commit",
    "git $'\\x63ommit'",
    "env A=1 git -C . commit",
    "sh -c 'g\"i\"t commit'",
    "echo a | xargs git -C . commit",
    "sudo git --git-dir=x commit",
    "{git,commit,-m,x}",
  ])("is found in %s", async (command) => {
    expect(await isFound(command)).toBe(true);
  });

  it.each(["git status", "git log --grep commit", "git show commit", "ls", "git -C commit log"])(
    "is not found in %s",
    async (command) => {
      expect(await isFound(command)).toBe(false);
    },
  );

  it.each([
    { command: "git commit -m x", guards: true },
    { command: "echo a | xargs git commit", guards: true },
    { command: 'grep -rn "git commit" docs/', guards: false },
    { command: 'echo "git commit"', guards: false },
    { command: 'git log --grep "git commit"', guards: false },
  ])("guards what may change something: $command", async ({ command, guards }) => {
    const wire = { tool_name: "Bash", tool_input: { command } };
    const call = await toToolCall(wire, { config, root: "/", plans: [] });
    const [gate] = config.gates;
    expect(gate && call && guardsCall(gate, call, "ignore")).toBe(guards ? "call" : "nothing");
  });
});
