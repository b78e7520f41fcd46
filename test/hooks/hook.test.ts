import { globSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { drainSpool } from "../../src/storage/inbox/drain-spool.ts";
import { filesWith } from "../support/files-with.ts";
import { openHook, promptOf, silence } from "../support/open-hook.ts";

const samples = globSync("test/fixtures/hook-payloads/claude-code/*/*.json").toSorted();
const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

/** One sample of each event that is recorded. */
const recorded = [
  ...new Map(
    samples.flatMap((file) => {
      const payload = JSON.parse(readFileSync(file, "utf8"));
      const isRecorded =
        /^(Session(Start|End)|UserPrompt(Submit|Expansion)|PreToolUse|PostTool(Use|UseFailure|Batch)|SubagentStop|(Pre|Post)Compact|Stop)$/.test(
          payload.hook_event_name,
        );
      return isRecorded ? [[payload.hook_event_name as string, payload] as const] : [];
    }),
  ),
];

describe("a hook", () => {
  it("records every event that it is installed for, in order and as it is, and says nothing", async () => {
    await using hook = await openHook();
    expect(recorded).toHaveLength(12);
    for (const [, payload] of recorded) expect(await hook.run(payload)).toEqual(silence);
    const items = await hook.inbox();
    expect(items.map(({ client, event, session, payload }) => ({ client, event, session, payload }))).toEqual(
      recorded.map(([event, { hook_event_name: _name, session_id: session, ...payload }]) => {
        return { client: "claude-code", event, session, payload };
      }),
    );
    expect(items.map(({ key }) => key)).toEqual(items.map((_, index) => index + 1));
    expect(await hook.spool()).toEqual([]);
    expect(await hook.log()).toEqual([]);
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
      expect(found.filter((each) => !each.startsWith("hook.cjs:"))).toEqual([]);
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

  it("records all of 24 that run at once", async () => {
    await using hook = await openHook();
    const prompts = Array.from({ length: 24 }, (_, index) => `prompt ${index}`);
    const runs = await Promise.all(prompts.map((prompt) => hook.run(promptOf(prompt))));
    expect(runs).toEqual(prompts.map(() => silence));
    await drainSpool(hook.home);
    const stored = (await hook.inbox()).map(({ payload }) => (payload as { prompt: string }).prompt);
    expect(new Set(stored)).toEqual(new Set(prompts));
    expect(stored).toHaveLength(prompts.length);
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
      join(hook.home, "bin", "launch.json"),
      JSON.stringify({ node: process.execPath, launcher }),
    );
    expect(await hook.run(stop)).toEqual(silence);
    await vi.waitFor(async () => expect(await readFile(told, "utf8")).not.toBe(""), { timeout: 60_000 });
    expect(JSON.parse(await readFile(told, "utf8"))).toEqual([["sync"], hook.home]);
    expect(await hook.inbox()).toHaveLength(1);
  });

  it.each([
    { case: "is not known", launch: undefined },
    { case: "has gone", launch: { node: process.execPath, launcher: "/nowhere/carryon.cjs" } },
    { case: "has no Node any more", launch: { node: "/nowhere/node", launcher: "/etc/hostname" } },
    { case: "is written in another way", launch: ["node"] },
  ])("only records when the launcher $case", async ({ launch }) => {
    await using hook = await openHook();
    if (launch !== undefined) {
      await writeFile(join(hook.home, "bin", "launch.json"), JSON.stringify(launch));
    }
    const before = await readdir(hook.home);
    expect(await hook.run(stop)).toEqual(silence);
    expect(await hook.inbox()).toHaveLength(1);
    expect(await readdir(hook.home)).toEqual(before);
  });
});
