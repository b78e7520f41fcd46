import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";

describe("a value of the wrong type in requirements.yaml", () => {
  const gates = 'requirements:\n  plan: { enabled: "yes" }\n  size: { enabled: true }\nenabled: 7\n';
  const path = "<folder>/work/.claude/requirements.yaml";
  const problems = [
    {
      path,
      line: 4,
      problem:
        "A setting counts as not set: enabled must be true or false, not the number 7; true counts instead.",
      hint: "Write true or false, without quotes.",
    },
    {
      path,
      line: 2,
      problem: "The requirement plan is left out: enabled must be true or false, not the text yes.",
      hint: "Write true or false, without quotes.",
    },
  ];

  it("is told with file, line, what was found, what is expected and what counts, wherever gates are shown", async () => {
    await using carryon = await openGated({ gates });
    const ask = async (...args: readonly string[]) =>
      JSON.parse((await carryon.call([...args, "--json"])).stdout).problems;
    expect(await ask("gate", "status")).toEqual(problems);
    expect(await ask("gate", "list")).toEqual(problems);
    expect(await ask("doctor")).toEqual(
      problems.map(({ line, problem, hint }) => ({ what: `${path}, line ${line}: ${problem}`, hint })),
    );
    expect(await carryon.call(["gate", "explain", "--", "ls"])).toEqual({
      code: 0,
      stdout: '{"verdict":"reads","why":"`ls` only reads."}\n',
      stderr: problems
        .map(({ line, problem, hint }) => `${path}, line ${line}: ${problem} ${hint}\n`)
        .join(""),
    });
    const list = await carryon.call(["gate", "list"]);
    for (const { line, problem, hint } of problems)
      expect(list.stderr).toContain(`Problem  ${path}, line ${line}
         ${problem} ${hint}
`);
    expect(list.stdout).toMatch(/^GATE .*\nsize .*\n$/);
  });

  it("leaves a list that says why it is empty", async () => {
    await using carryon = await openGated({ gates: "requirements: { plan: 5 }\n" });
    expect((await carryon.call(["gate", "list"])).stderr).toContain(
      "\nNo gate counts; `carryon gate` says why.\n",
    );
    await using untrusted = await openGated({ trust: false });
    expect((await untrusted.call(["gate", "list"])).stderr).toBe(
      "No gate counts; `carryon gate` says why.\n",
    );
  });
});
