import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { copyFile, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { drainSpool } from "../../src/storage/drain-spool.ts";
import { filesWith } from "../support/files-with.ts";
import { openHook, promptOf, recordedEvents, silence } from "../support/open-hook.ts";

/** One payload of each event, of the newest version; all of all versions are in test/faults. */
const samples = globSync("test/fixtures/hook-payloads/claude-code/2.1.325/*.json")
  .toSorted()
  .map((file): { readonly hook_event_name: string; readonly session_id: string } =>
    JSON.parse(readFileSync(file, "utf8")),
  )
  .filter(
    ({ hook_event_name: name }, index, all) =>
      all.findIndex((each) => each.hook_event_name === name) === index && recordedEvents.includes(name),
  );
const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

describe("a hook", () => {
  it("records what Claude Code really wrote, in order and as it is, and says nothing", async () => {
    await using hook = await openHook();
    for (const payload of samples) expect(await hook.run(payload)).toEqual(silence);
    expect(samples.map((payload) => payload.hook_event_name).toSorted()).toEqual(recordedEvents.toSorted());
    const items = await hook.inbox();
    expect(items.map(({ client, event, session, payload }) => ({ client, event, session, payload }))).toEqual(
      samples.map(({ hook_event_name: event, session_id: session, ...payload }) => {
        return { client: "claude-code", event, session, payload };
      }),
    );
    expect(items.map(({ key }) => key)).toEqual(items.map((_, index) => index + 1));
    expect([await hook.spool(), await hook.log()]).toEqual([[], []]);
  });

  it("leaves no trace of an event that it does not know", async () => {
    await using hook = await openHook();
    expect(await hook.run({ ...promptOf("hello"), hook_event_name: "MoonPhaseChanged" })).toEqual(silence);
    expect(await hook.inbox()).toEqual([]);
    expect([await hook.spool(), await hook.log()]).toEqual([[], []]);
  });

  it.each([
    { case: "nothing at all", input: "" },
    { case: "half a payload", input: JSON.stringify(promptOf(token)).slice(0, -2) },
    { case: "JSON of another kind", input: "[1, 2]" },
    { case: "a payload without a session", input: '{"hook_event_name":"Stop"}' },
  ])("notes that it could not understand $case, and does not repeat it", async ({ input }) => {
    await using hook = await openHook();
    expect(await hook.run(input)).toEqual(silence);
    expect(await hook.log()).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z hook: a payload could not be understood$/),
    ]);
    expect(await hook.inbox()).toEqual([]);
  });

  it("keeps secrets and its environment out of every file", async () => {
    await using hook = await openHook();
    const payload = {
      ...promptOf(`use ${token} please`),
      hook_event_name: "PostToolUse",
      tool_input: { env: { password: "hunter2-Correct-Horse" }, command: `curl -H 'X: ${token}'` },
    };
    const env = { CANARY: "canary-in-the-environment", ANTHROPIC_API_KEY: `sk-ant-api03-${"x7".repeat(40)}` };
    expect(await hook.run(payload, env)).toEqual(silence);
    await using bare = await openHook({ store: false });
    expect(await bare.run(payload, env)).toEqual(silence);
    const secrets = [token, token.slice(0, 20), "Correct-Horse", "canary-in-the-env", "sk-ant-api03"];
    for (const { home } of [hook, bare]) {
      const found = await filesWith(home, secrets);
      expect(found.filter((each) => !each.startsWith("carryon-redaction.cjs:"))).toEqual([]);
    }
    expect((await hook.inbox())[0]?.payload).toMatchObject({
      prompt: "use [redacted:github-token] please",
      tool_input: { env: { password: "[redacted:password]" } },
    });
  });

  it("stores the beginning of a payload of ten megabytes and says how much is missing", async () => {
    await using hook = await openHook();
    expect(await hook.run(promptOf("word ".repeat(2_100_000)))).toEqual(silence);
    const [prompt = ""] = (await hook.inbox()).map(({ payload }) => (payload as { prompt: string }).prompt);
    expect(prompt.slice(0, 10)).toBe("word word ");
    expect(prompt.slice(-60)).toMatch(/\[cut: 10237856 more characters\]$/);
    expect(prompt.length).toBeLessThan(300_000);
  });

  it("leaves the WAL to the next one, but never much of it", async () => {
    await using hook = await openHook();
    const sizes: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      expect(await hook.run(promptOf(`round ${round} ${"word ".repeat(3000)}`))).toEqual(silence);
      const wal = await stat(join(hook.home, "store.db-wal")).catch(() => undefined);
      sizes.push(wal?.size ?? 0);
    }
    expect(Math.max(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
    expect(await hook.inbox()).toHaveLength(20);
  });

  it("does nothing under another name, since it would take another folder for its home", async () => {
    await using hook = await openHook();
    const copy = join(hook.home, "other.cjs");
    await copyFile(hook.bundle, copy);
    for (const args of [[copy], ["--", "-"], ["-"]]) {
      const input = args.includes("-") ? await readFile(hook.bundle) : JSON.stringify(promptOf("hello"));
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: join(hook.home, "bin"),
        input,
      });
      expect([status, String(stdout), String(stderr)]).toEqual([0, "", ""]);
    }
    expect(await hook.inbox()).toEqual([]);
    expect([await hook.spool(), await hook.log()]).toEqual([[], []]);
  });

  it("records nothing that may hold a secret when the rules are gone, and says so", async () => {
    await using hook = await openHook();
    await rm(join(hook.home, "bin", "carryon-redaction.cjs"));
    expect(await hook.run(promptOf(`use ${token}`))).toEqual(silence);
    expect(await hook.run(promptOf("no secret"))).toEqual(silence);
    expect((await hook.inbox()).map(({ payload }) => payload)).toEqual([
      { cwd: "/nowhere", prompt: "no secret" },
    ]);
    expect(await hook.log()).toEqual([expect.stringMatching(/ hook: the rules of redaction are missing$/)]);
  });

  it("records all of eight that run at once", async () => {
    await using hook = await openHook();
    const prompts = Array.from({ length: 8 }, (_, index) => `prompt ${index}`);
    const runs = await Promise.all(prompts.map((prompt) => hook.run(promptOf(prompt))));
    expect(runs).toEqual(prompts.map(() => silence));
    await drainSpool(hook.home);
    const stored = (await hook.inbox()).map(({ payload }) => (payload as { prompt: string }).prompt);
    expect(stored.toSorted()).toEqual(prompts);
  });
});

describe("a hook that starts sync", () => {
  const stop = { session_id: "s-1", cwd: "/nowhere", hook_event_name: "Stop" };

  it("starts the launcher that init wrote down, with its own home", async () => {
    await using hook = await openHook();
    const told = join(hook.home, "told.json");
    const launcher = join(hook.home, "launcher.cjs");
    const content = "JSON.stringify([process.argv.slice(2), process.env.CARRYON_HOME])";
    await writeFile(launcher, `require("fs").writeFileSync(${JSON.stringify(told)}, ${content})`);
    await writeFile(
      join(hook.home, "bin", "carryon.json"),
      JSON.stringify({ node: process.execPath, launcher }),
    );
    expect(await hook.run(stop)).toEqual(silence);
    await vi.waitFor(async () => expect(await readFile(told, "utf8")).not.toBe(""), { timeout: 60_000 });
    expect(JSON.parse(await readFile(told, "utf8"))).toEqual([["sync", "--quiet", "--recorded"], hook.home]);
    expect(await hook.inbox()).toHaveLength(1);
  });

  it.each([
    { case: "with few variables", env: {} },
    { case: "with more than a shell is trusted with", env: { MUCH: "x".repeat(110_000) } },
  ])("leaves it to itself, apart from the client and where the session is, $case", async ({ env }) => {
    await using hook = await openHook();
    const [go, told] = [join(hook.home, "go"), join(hook.home, "told.json")];
    const launcher = join(hook.home, "launcher.cjs");
    // It ends only after the hook has: who shared a stream with it would wait for ever.
    const content = `
      const fs = require("fs");
      const wait = setInterval(() => {
        if (!fs.existsSync(${JSON.stringify(go)})) return;
        clearInterval(wait);
        const nothing = fs.statSync("/dev/null").rdev;
        const streams = [0, 1, 2].map((each) => fs.fstatSync(each).rdev === nothing);
        // It throws where no group is led by this process.
        const facts = [process.kill(-process.pid, 0), process.cwd(), streams];
        fs.writeFileSync(${JSON.stringify(`${told}.new`)}, JSON.stringify(facts));
        fs.renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});
      }, 20);`;
    await writeFile(launcher, content);
    await writeFile(
      join(hook.home, "bin", "carryon.json"),
      JSON.stringify({ node: process.execPath, launcher }),
    );
    const folder = await realpath(tmpdir());
    expect(await hook.run({ ...stop, cwd: folder }, env)).toEqual(silence);
    await writeFile(go, "");
    const facts = await vi.waitFor(() => readFile(told, "utf8"), { timeout: 60_000 });
    expect(JSON.parse(facts)).toEqual([true, folder, [true, true, true]]);
    expect(await hook.log()).toEqual([]);
  });

  it.each([
    { case: "is not known", launch: undefined },
    { case: "has gone", launch: { node: process.execPath, launcher: "/nowhere/carryon.cjs" } },
    { case: "has no Node any more", launch: { node: "/nowhere/node", launcher: "/etc/hostname" } },
    { case: "is written in another way", launch: ["node"] },
    { case: "is nothing", launch: null },
  ])("only records when the launcher $case", async ({ launch }) => {
    await using hook = await openHook();
    if (launch !== undefined) {
      await writeFile(join(hook.home, "bin", "carryon.json"), JSON.stringify(launch));
    }
    const before = await readdir(hook.home);
    expect(await hook.run(stop)).toEqual(silence);
    expect(await hook.inbox()).toHaveLength(1);
    expect(await readdir(hook.home)).toEqual(before);
    expect(await hook.log()).toEqual([]);
  });
});
