import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { filesWith } from "../support/files-with.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { testContext } from "../support/test-context.ts";

/** A token of a code host that nobody ever had. */
const canary = randomBytes(64)
  .toString("base64")
  .replaceAll(/[^A-Za-z0-9]/g, "")
  .slice(0, 36);
const token = `ghp_${canary}`;
/** A slug is in lower case; what is cut may end anywhere. */
const traces = [canary.slice(0, 12), canary.slice(-12), canary.slice(0, 12).toLowerCase()];

/** Every place of an entry in which a text can stand. */
const entries: readonly object[] = [
  { role: "user", text: `export GITHUB_TOKEN=${token}` },
  { role: "assistant", text: `${"long ".repeat(3000)}${token}` },
  {
    kind: "message",
    role: "assistant",
    model: token,
    clientMessageId: token,
    parts: [
      { type: "thinking", text: token, signature: "c2lnbmF0dXJl" },
      { type: "tool-call", call: token, name: token, input: { [token]: [token, { deep: token }] } },
      { type: "image", mediaType: token, name: token, location: `/tmp/${token}`, sha256: token },
      { type: "other", raw: { type: token, text: token } },
    ],
  },
  {
    kind: "message",
    role: "tool",
    parts: [{ type: "tool-result", call: token, output: { stdout: `${token}\n` } }],
  },
  { kind: "summary", text: token, replaces: null },
  { kind: "round", number: 1, data: { [token]: token } },
  { kind: "checkpoint", state: { branch: token } },
  { kind: "event", event: token, data: { a: token } },
  { kind: "event", event: "titled", data: { title: token } },
  { kind: "event", event: "tagged", data: { add: [token], remove: [token] } },
  { kind: "other", raw: { kind: token, deep: [{ text: `postgres://me:${token}@db.example.com/x` }] } },
];

/** Lines that are refused, and whatever is said about them. */
const badLines: readonly object[] = [
  { id: token, role: "user", text: "x" },
  { parent: token, role: "user", text: "x" },
  { strand: token, role: "user", text: "x" },
  { kind: "summary", text: "x", replaces: token },
  { kind: "summary", text: "x", replaces: null, kept: [token] },
  { kind: "message", role: "user", parts: [], replaces: token },
  { [token]: token },
  { role: token, text: token },
  { kind: token },
  { role: "user", text: "x", at: token },
  { kind: "event", event: "x", data: { [token]: { deep: undefined } }, [token]: 1 },
];

const toLines = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Makes a repository whose folder, branch and remote hold the token, and returns its path. */
async function makeTellingRepo(place: TempDir): Promise<string> {
  const folder = place.join(token);
  await makeRepo(folder, []);
  await git(folder, "checkout", "--quiet", "-b", `fix/${token}`);
  await git(folder, "remote", "add", "origin", `https://me:${token}@example.com/${token}/it.git`);
  return folder;
}

type CommandRun = readonly [args: readonly string[], input?: string];

/** Runs commands in this process, one after another, and returns all that they said, with where their errors come from. */
async function say(carryon: Carryon, cwd: string, runs: readonly CommandRun[]): Promise<readonly string[]> {
  const said: string[] = [];
  for (const [args, input = ""] of runs) {
    const context = testContext(cwd, {
      env: { CARRYON_HOME: join(carryon.folder, "home"), CARRYON_DEBUG: "1" },
      input: Readable.from([Buffer.from(input)]),
    });
    const code = await runCli(args, context);
    said.push(`${code}: ${context.said.out}${context.said.err}`);
  }
  return said;
}

/** Runs commands in processes of their own, whose temporary files and compiled code are where we look. */
async function sayOutside(
  carryon: Carryon,
  cwd: string,
  runs: readonly CommandRun[],
): Promise<readonly string[]> {
  const said: string[] = [];
  const env = { NODE_COMPILE_CACHE: join(carryon.folder, "compiled") };
  for (const [args, input = ""] of runs) {
    const { code, stdout, stderr } = await carryon.run(args, { cwd, input, env });
    said.push(`${code}: ${stdout}${stderr}`);
  }
  return said;
}

/** Returns what has a trace of the secret. */
function tracesIn(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => traces.some((trace) => text.includes(trace)));
}

describe("a secret", () => {
  it("is in no byte of any file and in nothing that is said, whatever way it came in", async () => {
    await using carryon = await openCarryon();
    await using place = await tempDir();
    const cwd = await makeTellingRepo(place);
    const copy = join(carryon.folder, "copy.db");
    const said = [
      ...(await sayOutside(carryon, cwd, [
        [["append", "--title", `token ${token}`], toLines(entries)],
        [["append", "--keep-going"], toLines(badLines)],
      ])),
      ...(await say(carryon, cwd, [
        [["append"], toLines(entries.slice(0, 1))],
        ...badLines.map((line): CommandRun => [["append"], toLines([line])]),
        [["append"], `{"role":"user","text":"${token}"\n`],
        [["rename", "latest", token]],
        [["fork", "latest", "--title", token]],
        [["tag", "latest", token]],
        [["tag", "latest", "fine", `is:${token}`]],
        [["sessions"]],
        [["sessions", "--all", "--json"]],
        [["show", "latest", "--json"]],
        [["verify", "--json"]],
      ])),
      ...(await sayOutside(carryon, cwd, [
        [["backup", copy]],
        [["restore", copy, "--yes"]],
        [["scrub", "something else", "--yes"]],
      ])),
    ];
    const codes = said.map((text) => Number(text.slice(0, text.indexOf(":"))));
    const refused = badLines.map(() => 2);
    // A secret is refused as a tag; the rest is done, with a marker in its place.
    const done = (count: number) => Array.from({ length: count }, () => 0);
    expect(codes).toEqual([0, 2, 0, ...refused, 2, ...done(2), 2, 2, ...done(7)]);
    expect(tracesIn(said)).toEqual([]);
    expect(said.filter((text) => text.includes("[redacted:")).length).toBeGreaterThan(5);
    expect(said.find((text) => text.includes("SESSION "))).toMatch(
      /session-.*carryon-append {2}fix\/\[redacted:/,
    );
    expect((await readdir(carryon.folder)).sort()).toEqual(["compiled", "copy.db", "home", "work"]);
    expect(
      (await readdir(join(carryon.folder, "home"))).some((name) => name.includes("before-restore")),
    ).toBe(true);
    expect(await filesWith(carryon.folder, traces)).toEqual([]);
  });

  it("is in no handover document, and each command says that it left it out", async () => {
    await using carryon = await openCarryon();
    const fields = ["--context", token, "--decision", `token ${token}`, "--reason", "r", "--impact", "none"];
    const commands = [
      ["decide", "user-decision", `use ${token}`, ...fields],
      ["handover", "draft", "--done", token, "--goal", token],
      [
        "handover",
        "--no-ask",
        "--next",
        `use ${token}`,
        "--warnings",
        `password=${canary}`,
        ...["--decision", token, "--reason", `because ${token}`, "--impact", "none"],
      ],
      ["note", "pattern", `api: ${token}`, "--spec", "login", "--role", "Builder", "--task", "2"],
    ];
    for (const args of commands) {
      const { code, stderr } = await carryon.call(args);
      const [first] = stderr.split("\n");
      expect([code, first]).toEqual([
        0,
        "What looks like a secret was not written; [redacted:…] stands in its place.",
      ]);
    }
    const brief = await carryon.ask(["brief"]);
    expect(brief).toContain("use [redacted:github-token]");
    expect(tracesIn([brief])).toEqual([]);
    const documents = join(carryon.folder, "work", ".claude", "sdd", "handover");
    const names = (await readdir(documents)).filter((name) => name.endsWith(".md"));
    expect(names.sort()).toEqual(["buffer.md", "decisions.md", "session.md"]);
    expect(await filesWith(carryon.folder, traces)).toEqual([]);
  });

  it("is not repeated by a command that does not know what to do with it", async () => {
    await using carryon = await openCarryon();
    await carryon.record("x");
    const commands = [
      [token],
      [`--${token}`],
      ["show", token],
      ["show", `${"x".repeat(50)}/${token}`],
      ["show", "latest", token],
      ["show", "latest", `--${token}`],
      ["show", "latest", "--strand", token],
      ["show", "latest", "--from", token],
      ["sessions", "--project", token],
      ["resume", "--client", token],
      ["sessions", "--since", token],
      ["sessions", "--cursor", token],
      ["fork", "latest", "--at", token],
      ["append", "--session", token],
      ["append", `./${token}.jsonl`],
      ["tag", "latest", `${token}!`],
      ["restore", token, "--yes"],
      ["backup", join("nowhere", token)],
      ["help", token],
      ["completion", token],
      ["delete", token, "--yes"],
    ];
    const runs = commands.flatMap((args): CommandRun[] => [[args], [[...args, "--json"]]]);
    const said = await say(carryon, join(carryon.folder, "work"), runs);
    expect(tracesIn(said)).toEqual([]);
    expect(said.filter((text) => text.startsWith("0:"))).toEqual([]);
  });
});
