import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";
import { launcher } from "../support/test-context.ts";

describe("completion", () => {
  it("gives bash a script that it can read, and that asks the program", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const script = await carryon.ask(["completion", "bash"]);
    const test = `
      carryon() { "${process.execPath}" "${launcher}" "$@"; }
      COMP_WORDS=(carryon sessions --cl); COMP_CWORD=2; _carryon; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(carryon ver); COMP_CWORD=1; _carryon; echo "\${COMPREPLY[@]}"
    `;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script + test], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "--client\nverify\n", stderr: "" });
  });

  it.each(["zsh", "fish"])("gives %s a script that asks the program", async (shell) => {
    await using carryon = await openCarryon();
    expect(await carryon.ask(["completion", shell])).toContain("carryon __complete");
  });

  it("knows commands, options, choices and sessions", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("Fix the login");
    const complete = async (...words: string[]) =>
      (await carryon.ask(["__complete", ...words]))
        .split("\n")
        .map((line) => line.split("\t")[0])
        .slice(0, -1);
    expect({
      commands: await complete("re"),
      topOptions: await complete("--v"),
      help: await complete("help", "do"),
      options: await complete("show", "latest", "--"),
      choices: await complete("sessions", "--client", "carryon-"),
      shells: await complete("completion", ""),
      sessions: await complete("show", ""),
      prefix: await complete("show", id.slice(0, 10)),
      value: await complete("append", "--session", id.slice(0, 10)),
      other: await complete("diff", "latest", id.slice(0, 10)),
      into: await complete("merge", "latest", "--into", id.slice(0, 10)),
      variadic: await complete("delete", "x", id.slice(0, 10)),
      afterOption: await complete("show", "--from", "3", "l"),
      file: await complete("backup", ""),
      unknown: await complete("xyzzy", ""),
    }).toEqual({
      commands: ["resume", "replay", "rename", "relink", "recovery", "repair", "restore"],
      topOptions: ["--version"],
      help: ["doctor"],
      options: ["--strand", "--from", "--to", "--find", "--full", "--no-pager", "--json", "--help"],
      choices: ["carryon-append", "carryon-chat", "carryon-handover", "carryon-run"],
      shells: ["bash", "zsh", "fish"],
      sessions: ["latest", id],
      other: [id],
      into: [id],
      prefix: [id],
      value: [id],
      variadic: [id],
      afterOption: ["latest"],
      file: [],
      unknown: [],
    });
  });

  it("describes what it offers, and answers nothing instead of failing", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.run(["__complete", "show", ""])).toEqual({ code: 0, stdout: "", stderr: "" });
    await carryon.record("Fix the login");
    expect((await carryon.call(["__complete", "show", "session"])).stdout).toBe(
      "session-00000000-000000-0001\tFix the login\n",
    );
  });
});
