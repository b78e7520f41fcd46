import { appendFile, glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runOn } from "../support/machine.ts";
import { openUpgradeFixture, type UpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

const titled = "11111111-1111-4111-8111-111111111111";

/** Lets a transcript say what was typed in the middle of its first turn. */
async function typeMeanwhile({ folder }: UpgradeFixture, content: string): Promise<void> {
  const [path = ""] = await Array.fromAsync(glob(join(folder, ".claude/projects/*", `${titled}.jsonl`)));
  const lines = (await readFile(path, "utf8")).split("\n");
  const answer = lines.findIndex((line) => line.includes('"I will run a command."'));
  const operation = { type: "queue-operation", operation: "enqueue", timestamp: "2026-11-15T18:16:58.000Z" };
  await writeFile(path, lines.toSpliced(answer + 2, 0, JSON.stringify({ ...operation, content })).join("\n"));
}

describe("a transcript that 0.1.0 has read", () => {
  it("is read again for what was typed while the model worked, which then stands in its place", async () => {
    await using old = await openUpgradeFixture("0.1.0");
    const known = JSON.parse(await old.ask(["show", titled, "--json"])).entries;
    await typeMeanwhile(old, "Only look, please.");
    expect((await old.call(["sync"])).code).toBe(0);
    const { entries } = JSON.parse(await old.ask(["show", titled, "--json"]));
    const place = entries.findIndex(({ data }: { data?: { how?: string } }) => data?.how === "queued");
    expect(entries[place]).toMatchObject({
      ...{ event: "prompt-seen", at: "2026-11-15T18:16:58.000Z" },
      ...{ parent: entries[place - 1].id, data: { prompt: "Only look, please.", how: "queued" } },
    });
    expect(entries.toSpliced(place, 1)).toEqual(known);
    expect((await old.call(["sync"])).stdout).toBe("Nothing new in 4 transcripts.\n");
    expect((await old.call(["verify", titled])).code).toBe(0);
  });
});

describe("recording that is turned off in a home that 0.1.0 made", () => {
  it("stops at once, although the hooks that 0.1.0 installed go on telling, and what was recorded stays", async () => {
    await using old = await openUpgradeFixture("0.1.0");
    const { pending } = old.manifest.sessions;
    const before = await old.ask(["show", pending, "--json"]);
    await appendFile(join(old.home, "config.yaml"), `record:\n  ${JSON.stringify(old.work)}: off\n`);
    const [tool_name, tool_response] = ["Bash", { stdout: "hush" }];
    const told = { hook_event_name: "PostToolUse", tool_use_id: "t1", tool_name, tool_response };
    const payload = { ...told, session_id: pending, cwd: old.work };
    const hook = ["-c", `exec '${process.execPath}' '${join(old.home, "bin/carryon-hook.cjs")}'`];
    const machine = { cwd: old.work, path: process.env.PATH ?? "", env: old.env };
    expect(await runOn(machine, "/bin/sh", hook, JSON.stringify(payload))).toMatchObject({ code: 0 });
    expect((await old.call(["sync"])).stdout).toMatch(/^Nothing to take in/);
    expect(await old.ask(["show", pending, "--json"])).toBe(before);
    expect(JSON.parse(await old.ask(["status", "--json"])).not_recorded).toBe("folder");
  });
});
