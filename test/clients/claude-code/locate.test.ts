import { mkdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { listTranscripts, makeSlug } from "../../../src/clients/claude-code/locate.ts";
import { locateClient } from "../../../src/clients/claude-code/locate-client.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const first = "aaaaaaaa-0000-4000-8000-000000000001";
const second = "bbbbbbbb-0000-4000-8000-000000000002";

async function write(dir: TempDir, name: string, text = "{}\n"): Promise<string> {
  const path = dir.join("projects", name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const briefly = async (dir: TempDir, cwd?: string) =>
  (await listTranscripts(dir.path, cwd)).map(({ session, subagents }) => ({
    session,
    subagents: subagents.map(({ agent, meta }) => ({ agent, meta })),
  }));

it("finds the client's folder in the home folder, unless it is elsewhere", () => {
  expect(locateClient("/home/me", undefined)).toBe("/home/me/.claude");
  expect(locateClient("/home/me", "")).toBe("/home/me/.claude");
  expect(locateClient("/home/me", "/data/claude")).toBe("/data/claude");
});

it.each([
  { cwd: "/home/me/my_proj.v2", slug: "-home-me-my-proj-v2" },
  { cwd: "/größe/日本", slug: "-gr--e---" },
  { cwd: `/${"a".repeat(199)}`, slug: `-${"a".repeat(199)}` },
  { cwd: `/${"a".repeat(200)}`, slug: `-${"a".repeat(199)}-b6ymvl` },
])("names the folder of a project as the client does: $slug", ({ cwd, slug }) => {
  expect(makeSlug(cwd)).toBe(slug);
});

describe("listing transcripts", () => {
  it("finds sessions with size, time and inode, and their subagents at any depth", async () => {
    await using dir = await tempDir();
    const path = await write(dir, `-home-me/${first}.jsonl`, '{"type":"mode"}\n');
    const agent = await write(dir, `-home-me/${first}/subagents/agent-a1.jsonl`);
    await write(dir, `-home-me/${first}/subagents/agent-a1.meta.json`, '{"agentType":"Explore"}');
    const nested = await write(dir, `-home-me/${first}/subagents/workflows/agent-a2.jsonl`);
    await write(dir, `-home-me/${first}/subagents/journal.jsonl`);
    await write(dir, `-home-me/${first}/tool-results/x.txt`);
    const facts = async (file: string) => {
      const { size, mtime, mtimeNs, birthtime, ino } = await stat(file, { bigint: true });
      const found = { size: Number(size), inode: String(ino), mtimeNs: String(mtimeNs) };
      return { path: file, mtime, birthtime, ...found };
    };
    expect(await listTranscripts(dir.path)).toEqual([
      {
        ...(await facts(path)),
        session: first,
        subagents: [
          { ...(await facts(agent)), agent: "a1", meta: { agentType: "Explore" } },
          { ...(await facts(nested)), agent: "a2", meta: null },
        ],
      },
    ]);
  });

  it("finds those of one working directory", async () => {
    await using dir = await tempDir();
    await write(dir, `-home-me-a/${first}.jsonl`);
    await write(dir, `-home-me-b/${second}.jsonl`);
    expect(await briefly(dir, "/home/me/b")).toEqual([{ session: second, subagents: [] }]);
    expect(await briefly(dir)).toEqual([
      { session: first, subagents: [] },
      { session: second, subagents: [] },
    ]);
  });

  it("gives a subagent that lies beside the sessions to the one that its rows name", async () => {
    await using dir = await tempDir();
    await write(dir, `-home-me/${first}.jsonl`);
    await write(dir, `-home-me/${second}.jsonl`);
    await write(dir, "-home-me/agent-7f.jsonl", `no json\n{"type":"user","sessionId":"${second}"}\n`);
    await write(dir, "-home-me/agent-80.jsonl", "no json\n");
    expect(await briefly(dir)).toEqual([
      { session: first, subagents: [] },
      { session: second, subagents: [{ agent: "7f", meta: null }] },
    ]);
  });

  it("leaves out what is no transcript", async () => {
    await using dir = await tempDir();
    await write(dir, "-home-me/notes.txt");
    await write(dir, "-home-me/a b.jsonl");
    await mkdir(dir.join("projects", "-home-me", "folder.jsonl"));
    await symlink("nowhere", dir.join("projects", "-home-me", `${first}.jsonl`));
    await writeFile(dir.join("projects", "a-file"), "");
    expect(await briefly(dir)).toEqual([]);
  });

  it("takes a meta file that is half there for none", async () => {
    await using dir = await tempDir();
    await write(dir, `-home-me/${first}.jsonl`);
    await write(dir, `-home-me/${first}/subagents/agent-a1.jsonl`);
    await write(dir, `-home-me/${first}/subagents/agent-a1.meta.json`, '{"agentTy');
    expect(await briefly(dir)).toEqual([{ session: first, subagents: [{ agent: "a1", meta: null }] }]);
  });

  it("finds nothing where there is no client", async () => {
    await using dir = await tempDir();
    expect(await listTranscripts(dir.join("nowhere"))).toEqual([]);
    expect(await listTranscripts(dir.path, "/home/me")).toEqual([]);
  });

  it("goes on when files come and go meanwhile", async () => {
    await using dir = await tempDir();
    for (let index = 0; index < 50; index += 1) await write(dir, `-home-me/${index}.jsonl`);
    const listing = listTranscripts(dir.path);
    for (let index = 0; index < 50; index += 2) await rm(dir.join("projects", "-home-me", `${index}.jsonl`));
    await rename(dir.join("projects", "-home-me", "1.jsonl"), dir.join("projects", "-home-me", "51.jsonl"));
    const sessions = new Set((await listing).map(({ session }) => session as string));
    for (let index = 3; index < 50; index += 2) expect(sessions).toContain(String(index));
  });
});
