import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCli } from "../../src/cli/run-cli.ts";
import { git, gitEnv, makeRepo } from "./git-repo.ts";
import { tempDir } from "./temp-dir.ts";
import { inputOf, testContext } from "./test-context.ts";

/** What commands answered, by the names of their schemas; several where one answer cannot have everything. */
export type Answers = Readonly<Record<string, readonly unknown[]>>;

/** Runs every command of the work that answers in JSON, where it has something to say, and returns the answers. */
export async function collectWorkAnswers(): Promise<Answers> {
  await using dir = await tempDir();
  const root = dir.join("work");
  const { HOME: _, ...identity } = gitEnv;
  const env = { ...identity, HOME: dir.path, CARRYON_HOME: dir.join("home"), TMPDIR: dir.path };
  const run = async (args: readonly string[], input: readonly object[] = []) => {
    const context = testContext(root, { env, userHome: dir.path, input: inputOf(...input) });
    await runCli(args, context);
    return context.said.out;
  };
  const ask = async (...args: readonly string[]) => {
    const [command = "", ...rest] = args;
    return JSON.parse(await run([command, "--json", ...rest]));
  };
  const write = (path: string, text: string) => writeFile(join(root, path), text);
  await makeWork(root, dir.join("remote.git"));
  await run(["append", "--title", "One"], [{ role: "user", text: "hello" }]);
  await run(["fork", "latest"]);
  for (const session of ["One", "latest"]) await run(["tag", session, "pinned"]);
  await run(["handover", "draft"]);
  const checkChange = await ask("check", "allow", "test", "--yes", "--", "sh", "-c", "exit 3");
  const recoveryChange = await ask("recovery", "allow", "test-failure", "--yes", "--", "true");
  const dryRun = await ask("save", "--sync", "--dry-run");
  const full = await ask("save", "--full", "-m", "The form");
  const blocker = await ask("blocker");
  await run(["append", "--title", "Two"], openWork);
  await run(["tag", "Two", "pinned"]);
  const [status, load] = [await ask("status"), await ask("load")];
  const ran = await ask("load", "--resume");
  const listed = await ask("load", "--list");
  const resolved = await ask("blocker", "resolve", "by hand");
  const [noBlocker, noneResolved] = [await ask("blocker"), await ask("blocker", "resolve")];
  await git(root, "switch", "--quiet", "main");
  const switched = await ask("load", "--resume");
  await git(root, "switch", "--quiet", "--create", "other", "main");
  await write("form.html", "theirs");
  const leftAlone = await ask("load", "--resume");
  await git(root, "add", "form.html");
  await git(root, "commit", "--quiet", "--message", "theirs");
  await git(root, "merge", "--quiet", "feature").catch(() => undefined);
  const mine = JSON.parse(await readFile(join(root, ".claude/session-state.json"), "utf8"));
  await write(".claude/session-state.json", JSON.stringify({ ...mine, mode: "by hand" }));
  const [byHand, resumedByHand] = [await ask("load"), await ask("load", "--resume")];
  await write(".claude/session-state.json", '{"version": 1}');
  const missing = await ask("load");
  const dryRunInMerge = await ask("save", "--dry-run");
  const conflicting = await ask("save", "--todo", "Docs");
  await rm(join(root, ".claude/session-state.json"));
  await write(".claude/sdd/handover/buffer.md", "# Theirs\n");
  return {
    save: [full, conflicting],
    "save-dry-run": [dryRun, dryRunInMerge],
    load: [load, byHand],
    "load-list": [listed],
    "load-resume": [ran, switched, leftAlone, resumedByHand],
    "load-missing": [missing, await ask("load")],
    blocker: [blocker, noBlocker],
    "blocker-resolve": [resolved, noneResolved],
    check: [await ask("check")],
    "check-change": [checkChange, await ask("check", "revoke", "build")],
    recovery: [await ask("recovery")],
    "recovery-change": [recoveryChange, await ask("recovery", "revoke", "other")],
    status: [status, await ask("status")],
    digest: [await ask("digest", "Two")],
  };
}

const edit = { type: "tool-call", call: "1", name: "Edit", input: { file_path: "form.html" } };

/** A session that edited a file and committed nothing. */
const openWork = [
  { role: "user", text: "Make the form accessible" },
  { kind: "message", role: "assistant", parts: [edit] },
  { kind: "message", role: "tool", parts: [{ type: "tool-result", call: "1", output: "Updated." }] },
  { role: "assistant", text: "The labels are in." },
];

/** Makes a repository with a remote, a change of OpenSpec, and files that a save takes and leaves out. */
async function makeWork(root: string, remote: string): Promise<void> {
  await makeRepo(root, ["first"]);
  await git(root, "init", "--quiet", "--bare", remote);
  await git(root, "remote", "add", "origin", remote);
  await git(root, "switch", "--quiet", "--create", "feature");
  const change = join(root, "openspec", "changes", "add-login");
  await mkdir(change, { recursive: true });
  await writeFile(join(change, "proposal.md"), "# Login\n");
  await writeFile(join(change, "tasks.md"), "- [x] Form\n- [ ] Icons\n- [x] Check\n- [ ] Docs\n");
  await writeFile(join(root, "form.html"), "ours");
  await writeFile(join(root, ".env"), "NAME=value\n");
  await writeFile(join(root, "film.bin"), "");
  await truncate(join(root, "film.bin"), 6_000_000);
}
