import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { parseVerdicts } from "../../../src/handover/pipeline/parse-verdicts.ts";
import { readPipeline } from "../../../src/handover/pipeline/read-pipeline.ts";
import { parseSpec } from "../../../src/handover/pipeline/spec-file.ts";
import { sha256 } from "../../../src/sessions/chain.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

async function put(dir: TempDir, path: string, content: string | Uint8Array): Promise<string> {
  const full = dir.join(".sdd", "project", path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
  return full;
}

const read = (dir: TempDir) => readPipeline({ root: dir.path, sddDir: ".sdd" });
const nothing = { blocked: undefined, wave: null, dependencies: [] };

describe("parseSpec", () => {
  it.each([
    {
      case: "the fields it knows",
      text: "phase: initialized\nversion: 1.0.0\n",
      spec: { phase: "initialized", ...nothing },
    },
    {
      case: "other spellings, null and folded text",
      text: "phase: Design_Generated\nblocked_info: null\nroadmap: null\n",
      spec: { phase: "design-generated", ...nothing },
    },
    {
      case: "what blocks, and the roadmap",
      text: 'phase: blocked\nblocked_info: {blocked_by: accounts, reason: "a\\nb", blocked_at_phase: initialized}\nroadmap: {wave: 2, dependencies: [a, 3, null]}\n',
      spec: {
        phase: "blocked",
        blocked: { by: "accounts", reason: "a b", atPhase: "initialized" },
        wave: 2,
        dependencies: ["a", "3"],
      },
    },
    {
      case: "a roadmap of another form",
      text: "phase: implementation-complete\nroadmap: {wave: soon, dependencies: none}\nblocked_info: []\n",
      spec: { phase: "implementation-complete", ...nothing },
    },
  ])("reads $case", ({ text, spec }) => {
    expect(parseSpec("login", text)).toEqual({ spec: { name: "login", ...spec }, problems: [] });
  });

  it.each([
    { case: "broken YAML", text: "phase: initialized\nroadmap: [1,\n", code: "bad-yaml", line: 3 },
    {
      case: "a key that is there twice",
      text: "phase: initialized\nphase: blocked\n",
      code: "bad-yaml",
      line: 2,
    },
    { case: "a list", text: "- phase\n", code: "bad-yaml", line: 1 },
    { case: "nothing", text: "", code: "bad-yaml", line: 1 },
    { case: "a merge", text: "<<<<<<< HEAD\nphase: initialized\n", code: "conflict-marker", line: 1 },
    {
      case: "aliases without end",
      text: `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${"*a,".repeat(30)}]\nc: [${"*b,".repeat(30)}]\n`,
      code: "bad-yaml",
      line: 1,
    },
  ])("reports $case with its line", ({ text, code, line }) => {
    const { spec, problems } = parseSpec("login", text);
    expect(spec).toBeUndefined();
    expect(problems).toEqual([{ code, line, message: expect.any(String) as string }]);
  });

  it.each([
    { text: "phase: tasks-generated\n", message: "the phase tasks-generated is not known" },
    { text: "version: 1\n", message: "no phase is given" },
  ])("keeps a spec of which the phase is not known, and reports it", ({ text, message }) => {
    expect(parseSpec("login", text)).toEqual({
      spec: { name: "login", phase: "unknown", ...nothing },
      problems: [{ code: "unknown-phase", line: 1, message }],
    });
  });
});

describe("parseVerdicts", () => {
  const tracked = (body: string) =>
    parseVerdicts(`## [B1] impl\n### Tracked\n${body}\n### Notes\n- n\n`).batches[0]?.tracked;

  it.each([
    { case: "items", body: "- one\n  more\n- [ ] two\n", findings: ["one", "[ ] two"] },
    { case: "what is dealt with", body: "- [x] one\n- ~~two~~\n", findings: [] },
    { case: "a table", body: "| S | C |\n|---|---|\n| M | gap |\n", findings: ["| M | gap |"] },
    { case: "lines", body: "M|gap|a\nL|name|b\n", findings: ["M|gap|a", "L|name|b"] },
    { case: "nothing", body: "なし\n", findings: [] },
    { case: "an empty section", body: "", findings: [] },
  ])("reads $case", ({ body, findings }) => {
    expect(tracked(body)).toEqual(findings);
    expect(tracked(body.replaceAll("\n", "\r\n"))).toEqual(findings);
  });

  // Seed 0: 6.3
  it("keeps batches apart, and takes nothing from code", () => {
    const text = [
      "# Verdicts",
      "## [Design-B1] Design Review (v1.1.0)",
      "### Tracked",
      "- old",
      "## Some notes",
      "### Tracked",
      "- of no batch",
      "## [B2] impl | 2026-02-21T17:19:00Z | v1.1.0 | runs:1 | threshold:1/1",
      "### Raw",
      "#### V1",
      "VERDICT:GO",
      "```",
      "### Tracked",
      "- not this",
      "```",
      "### Disposition",
      "GO-ACCEPTED",
    ].join("\n");
    expect(parseVerdicts(text)).toEqual({
      problems: [],
      batches: [
        { id: "Design-B1", review: "Design Review (v1.1.0)", at: "", disposition: "", tracked: ["old"] },
        { id: "B2", review: "impl", at: "2026-02-21T17:19:00Z", disposition: "GO-ACCEPTED", tracked: [] },
      ],
    });
  });
});

describe("readPipeline", () => {
  it("finds nothing where nothing is", async () => {
    await using dir = await tempDir();
    expect(await read(dir)).toEqual({
      ...{ state: { specs: [], hasRoadmap: false }, steering: {}, hashes: {}, problems: [] },
    });
  });

  // Seed 0: 6.6
  it("reads all files, and lets a bad one hide no other", async () => {
    await using dir = await tempDir();
    await put(dir, "specs/roadmap.md", "# Roadmap\n");
    await put(dir, "specs/broken/spec.yaml", "phase: [\n");
    await put(dir, "specs/binary/spec.yaml", Buffer.from("a\0"));
    await put(dir, "specs/bare/design.md", "no spec yet");
    await put(dir, "specs/rm -rf/spec.yaml", "phase: initialized\n");
    await put(dir, "specs/login/spec.yaml", "phase: implementation-complete\nroadmap: {wave: 1}\n");
    await put(dir, "specs/login/verdicts.md", "## [B1] impl | now\n### Tracked\n- gap\n<<<<<<< HEAD\n");
    await symlink("login", dir.join(".sdd/project/specs/linked"));
    await put(dir, "steering/tech.md", "# Tech\n");
    await put(dir, "steering/notes.txt", "");
    const specs = [
      {
        name: "login",
        phase: "implementation-complete",
        ...nothing,
        wave: 1,
        latest: { id: "B1", review: "impl", at: "now", disposition: "", tracked: ["gap"] },
      },
    ];
    const { problems, ...rest } = await read(dir);
    expect(rest).toEqual({
      state: { specs, hasRoadmap: true },
      steering: { "tech.md": sha256("# Tech\n") },
      hashes: { login: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(problems.map(({ code, path, line }) => ({ code, path, line }))).toEqual([
      { code: "unreadable", path: ".sdd/project/specs/binary/spec.yaml", line: 1 },
      { code: "bad-yaml", path: ".sdd/project/specs/broken/spec.yaml", line: 2 },
      { code: "unreadable", path: ".sdd/project/specs/linked/spec.yaml", line: 1 },
      { code: "conflict-marker", path: ".sdd/project/specs/login/verdicts.md", line: 4 },
    ]);
  });

  it.each([
    { folder: ".sdd", paths: [".sdd/project/specs", ".sdd/project/steering"] },
    { folder: ".sdd/project", paths: [".sdd/project/specs", ".sdd/project/steering"] },
    { folder: ".sdd/project/specs", paths: [".sdd/project/specs"] },
    { folder: ".sdd/project/steering", paths: [".sdd/project/steering"] },
  ])("reports $folder that is a symbolic link, and reads nothing through it", async ({ folder, paths }) => {
    await using dir = await tempDir();
    await using outside = await tempDir();
    await put(outside, "specs/roadmap.md", "# Roadmap\n");
    await put(outside, "specs/login/spec.yaml", "phase: initialized\n");
    await put(outside, "steering/tech.md", "# Tech\n");
    await mkdir(dirname(dir.join(folder)), { recursive: true });
    await symlink(outside.join(folder), dir.join(folder));
    const { state, steering, problems } = await read(dir);
    expect({ state, steering }).toEqual({ state: { specs: [], hasRoadmap: false }, steering: {} });
    expect(problems.map(({ code, path, message }) => ({ code, path, message }))).toEqual(
      paths.map((path) => ({ code: "unreadable", path, message: expect.stringContaining(dir.join(folder)) })),
    );
  });
});
