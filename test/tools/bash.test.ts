import { writeFileSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitEnv } from "../support/git-repo.ts";
import { killIfThere, readWhenThere, waitUntilGone } from "../support/left-process.ts";
import { done, makeFiles, openTools, refused } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A command whose grandchild writes down its process, heeds no request to end, and stays. */
const withGrandchild = `trap '' TERM; (bash -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done') & echo begun; wait`;

describe("bash", () => {
  it("gives what a command printed on both ways, in order", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    const command = "for at in 1 2 3; do echo out $at; echo err $at >&2; done";
    expect(await run("bash", { command })).toEqual(done("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n"));
  });

  it("lets what a command prints be heard while it runs, in whole characters", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    // It goes on when its first words were heard, and prints half of a character before the other.
    const command = `echo first; until [ -e heard ]; do sleep 0.01; done; printf '\\xe2\\x82'; sleep 0.05; printf '\\xac\\n'`;
    const heard: string[] = [];
    const outcome = await run("bash", { command }, undefined, (text) => {
      if (heard.push(text) === 1) writeFileSync(dir.join("heard"), "");
    });
    expect({ heard: heard.join(""), outcome }).toEqual({ heard: "first\n€\n", outcome: done("first\n€\n") });
    expect(heard[0]).toBe("first\n");
    expect(heard).not.toContain("");
  });

  it("is bash, in the work folder, without input and without a terminal", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    const command = `words=(a b); echo "\${words[1]}"; pwd; wc -c; : < /dev/tty`;
    expect(await run("bash", { command })).toEqual(
      refused(
        `b\n${await realpath(dir.path)}\n0\nbash: line 1: /dev/tty: No such device or address\n[exit code 1]\n`,
      ),
    );
  });

  it("is sh where there is no bash", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path, { env: { PATH: dir.path } });
    expect(await run("bash", { command: 'echo "here:$BASH_VERSION"' })).toEqual(done("here:\n"));
  });

  it.each([
    { command: "exit 3", outcome: refused("[exit code 3]\n") },
    { command: "printf partial; false", outcome: refused("partial\n[exit code 1]\n") },
    { command: "true", outcome: done("[exit code 0, and nothing was printed]\n") },
    { command: "printf 'a\\e[31mb\\0c'", outcome: done("a\u001b[31mb\0c") },
    { command: "printf '\\xff'", outcome: done("\ufffd") },
    { command: "kill -SEGV $$", outcome: refused("[ended by SIGSEGV]\n") },
    { command: "a\0b", outcome: refused("A command has no NUL character.") },
    {
      command: "echo 'not closed",
      outcome: refused(expect.stringMatching(/^bash: .*\n\[exit code 2\]\n$/s) as unknown as string),
    },
  ])("says how $command ended", async ({ command, outcome }) => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    expect(await run("bash", { command })).toEqual(outcome);
  });

  it("says that a command is too long for the system", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    expect(await run("bash", { command: `: ${"x".repeat(5_000_000)}` })).toEqual(
      refused("The program could not be started: spawn E2BIG"),
    );
  });

  it("gives a command the variables of the caller, without keys, passwords and settings of Carryon", async () => {
    await using dir = await tempDir();
    const secrets = [
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "GITHUB_TOKEN",
      "DB_PASSWORD",
    ];
    const env = {
      ...Object.fromEntries(secrets.map((name) => [name, "made up"])),
      ...{ PATH: gitEnv.PATH, CARRYON_HOME: dir.join("home"), CARRYON_STORE: "x", CARRYON_LEASE: "1s" },
      ...{ GIT_DIR: "/elsewhere", ANTHROPIC_BASE_URL: "http://127.0.0.1:1", EDITOR: "ed", UNSET: undefined },
    };
    const { run } = await openTools(dir.path, { env });
    const { output } = await run("bash", { command: "env" });
    const names = output.split("\n").flatMap((line) => line.split("=")[0] || []);
    expect(names.filter((name) => !["_", "PWD", "OLDPWD", "SHLVL"].includes(name)).sort()).toEqual([
      ...["ANTHROPIC_BASE_URL", "CARRYON_HOME", "EDITOR", "PATH"],
    ]);
  });

  it("keeps the beginning and the end of what never ends, and ends it when its time is over", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path, { limits: { outputCharacters: 1000, commandMs: 1000 } });
    const command = "echo $$ > pid; echo first; yes";
    const { output, failed } = await run("bash", { command, timeout: 60 });
    const end =
      "[ended after 1 s, with all that it had started: that is the longest; start it in the background with & and look later at what it has done]";
    const shape = output.replace(/(?:^y\n)+/gm, "y…\n").replace(/\d+\.\d [kMG]B/, "much");
    expect({ output: shape, failed }).toEqual(refused(`first\ny…\n[… much left out …]\ny…\n${end}\n`));
    expect(output.length).toBeLessThanOrEqual(1000);
    await waitUntilGone(Number(await readFile(dir.join("pid"), "utf8")));
  });

  it("says that a command whose time is over can be given more", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    expect(await run("bash", { command: "sleep 100", timeout: 1 })).toEqual(
      refused("[ended after 1 s, with all that it had started: give a longer timeout if it needs one]\n"),
    );
  });

  it("ends a command with all that it has started when it is aborted, and tells what it had printed", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    const stop = new AbortController();
    const running = run("bash", { command: `echo first; ${withGrandchild}` }, stop.signal);
    const pid = Number(await readWhenThere(dir.join("pid")));
    onTestFinished(() => killIfThere(pid));
    stop.abort(new Error("stopped by a person"));
    expect(await running).toEqual({
      output: expect.stringMatching(/^first\n(begun\n)?Interrupted: it was stopped while it was running\./),
      failed: true,
    });
    await waitUntilGone(pid);
  });

  it("runs nothing when it is aborted before", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    const reason = new Error("stopped");
    await expect(run("bash", { command: "touch made" }, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await run("list", {})).toEqual(done("[The work folder has nothing to list.]\n"));
  });

  it("does not wait for what runs on in the background, and leaves it running", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    expect(await run("bash", { command: "sleep 1000 & echo $! > pid; echo started" })).toEqual(
      done("started\n"),
    );
    const pid = Number(await readFile(dir.join("pid"), "utf8"));
    onTestFinished(() => killIfThere(pid));
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid, "SIGKILL");
    await waitUntilGone(pid);
  });

  it("says what it would run", async () => {
    await using dir = await tempDir();
    const { describe: say, preview } = await openTools(dir.path);
    const command = "cd src\nrm -r build";
    expect([say("bash", { command }), await preview("bash", { command })]).toEqual([
      "bash cd src rm -r build",
      command,
    ]);
  });

  it("changes nothing of a file that a command has made, when it is read back", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "1\n" });
    const { run } = await openTools(dir.path);
    expect(await run("bash", { command: "sed -i s/1/2/ a" })).toEqual(
      done("[exit code 0, and nothing was printed]\n"),
    );
    expect(await run("read", { path: "a" })).toEqual(done("1\t2\n"));
  });
});
