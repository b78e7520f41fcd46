/**
 * Records a home and a repository made by one version of Carryon, for test/upgrade: test/fixtures/upgrade/VERSION.
 *
 * Run by hand on Linux, once for each released version. 0.1.0 was recorded from its commit, 3e351b2:
 *
 *     git worktree add ../old 3e351b2 && (cd ../old && npm ci)
 *     node scripts/record-upgrade-fixture.ts ../old
 *
 * The program of that checkout writes everything; this script plays the user, Claude Code and the model. It works in a
 * neutral folder and fails if a path or name of this machine gets into the files. Ids and times differ between recordings.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { openModelServer } from "../test/support/model-server/open-model-server.ts";
import { lampScenario } from "../test/support/upgrade/lamp-scenario.ts";
import type { Manifest } from "../test/support/upgrade/manifest.ts";
import { fixtures, openRecording } from "../test/support/upgrade/open-recording.ts";

const checkout = resolve(process.argv[2] ?? ".");
const launcher = join(checkout, "bin", "carryon.cjs");
const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
await using model = await openModelServer(lampScenario);
const recording = openRecording(launcher, `/tmp/carryon-upgrade-fixture-${version}`, model.url);
const { folder, work, home, write, carryon, git, ask, append, transcribe, tell, settle } = recording;
const kept = join(folder, "kept");

// The repository, and what was there before Carryon came.
git("init", "--quiet", "--initial-branch=main");
for (const name of readdirSync(join(work, ".git/hooks"))) rmSync(join(work, ".git/hooks", name));
git("config", "user.name", "Ada Example");
git("config", "user.email", "ada@example.invalid");
write("work/README.md", "# Shop\n\nA shop for lamps.\n");
const gates = {
  version: "1.0",
  requirements: {
    commit_plan: { enabled: true, auto_resolve_skill: "plan-review", message: "Say first what you change." },
    reviewed: { enabled: true, scope: "branch" },
    each_commit: {
      ...{ enabled: true, scope: "single_use" },
      trigger_tools: [{ tool: "Bash", command_pattern: "git commit" }],
    },
    not_main: { enabled: true, type: "guard", protected_branches: ["main"] },
    size: { enabled: true, type: "dynamic", thresholds: { warn: 100, block: 400 }, approval_ttl: 60 },
    idle: { description: "One that is off" },
  },
};
write("work/.claude/requirements.yaml", `${JSON.stringify(gates, null, 2)}\n`);
git("add", "--all");
git("commit", "--quiet", "--message", "First");
git("switch", "--quiet", "--create", "feature/list");
write("work/.claude/settings.local.json", '{\n  "model": "opus",\n\n  "hooks": { "Stop": [] }\n}\n');
write("work/.mcp.json", '{ "mcpServers": { "other": { "command": "other-server", "args": [] } } }\n');
write(
  "home/config.yaml",
  `# Settings of every capability.
remote:
  url: postgres://ada@127.0.0.1:1/team
  projects: [another-project]
cloud: ${join(folder, "cloud")}
sddDir: docs/sdd
blockers:
  patterns:
    - { tool: frob, type: build_error, pattern: '^frob: cannot ', severity: high, resolution: Oil it }
recoveryAgents:
  test_failure: [qa, code-editor]
recovery:
  dependency: [npm, ci]
maxRecoveryAttempts: 2
models:
  default: anthropic/claude-sonnet-5-5
  instructor: anthropic/claude-sonnet-5-5
  worker: anthropic/claude-sonnet-5-5
  openai: { baseUrl: "http://127.0.0.1:11434/v1", contextTokens: 32768 }
  prices:
    anthropic/claude-sonnet-5-5: { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 }
`,
  0o600,
);
const initChanges = [".claude/settings.local.json", ".mcp.json", ".git/info/exclude"];
const before = Object.fromEntries(initChanges.map((path) => [path, readFileSync(join(work, path), "utf8")]));
await carryon(["init", "--yes", "--no-import", "--documents", "private"]);

// Claude Code sessions: with hooks, a compaction and a subagent; with a title; a fork; killed; not synced yet.
const [worker, titled, forked, killed, pending] = [
  "dd066fdb-af1b-475d-9bd5-8877e8d52386",
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
  "33333333-3333-4333-8333-333333333333",
  "44444444-4444-4444-8444-444444444444",
] as const;
// No process has such a number, so both count as killed.
for (const [index, sessionId] of [killed, pending].entries()) {
  const pid = 4_194_305 + index;
  write(`.claude/sessions/${pid}.json`, `${JSON.stringify({ pid, sessionId })}\n`);
}
await tell(worker, "SessionStart-startup");
await tell(worker, "UserPromptSubmit", { prompt: "make the hello file" });
const edit = { tool_input: { file_path: join(work, "hello.txt"), content: "hello\n" } };
await tell(worker, "PreToolUse-Write", edit);
await carryon(["gate", "satisfy", "commit_plan", "--session", worker]);
await carryon(["gate", "satisfy", "reviewed", "--branch"]);
await carryon(["gate", "satisfy", "each_commit", "--session", worker, "--ttl", "3650d"]);
await carryon(["gate", "approve", "size", "--session", worker, "--ttl", "3650d"]);
await tell(worker, "PreToolUse-Write", edit);
await tell(worker, "PostToolUse-Write", edit);
await tell(worker, "PostToolUse-Agent");
transcribe("compacted.jsonl", `${worker}.jsonl`);
for (const end of ["jsonl", "meta.json"])
  transcribe(`compacted-subagent.${end}`, `${worker}/subagents/agent-a8a8a58fb50965509.${end}`);
await tell(worker, "SubagentStop", { agent_id: "a8a8a58fb50965509" });
await tell(worker, "Stop-active-false");
await tell(killed, "SessionStart-startup");
await tell(killed, "UserPromptSubmit", { prompt: "Count the gulls on the quay" });
await tell(killed, "PreToolUse-Write", edit);
await tell(worker, "SessionEnd-prompt_input_exit");
transcribe("titled.jsonl", `${titled}.jsonl`);
transcribe("forked.jsonl", `${forked}.jsonl`);
await settle();
// The killed session stays held to the rules that it began with.
write("work/.claude/requirements.yaml", `${JSON.stringify({ ...gates, enabled: false }, null, 2)}\n`);

// Appended, forked, merged, renamed, tagged and deleted sessions; a chat; a finished run, a stopped one and its fork.
const lamps = await append(
  ["--title", "Lamps"],
  "Which lamps do we sell?",
  "Brass lanterns and storm lamps.",
);
await append(["--session", lamps], "And candles?", "Only beeswax.", "y".repeat(5000));
const fork = (await carryon(["fork", lamps, "--at", "2", "--title", "Lanterns only"])).trim();
await append(["--session", fork], "Only the lanterns.", "Then without wicks.");
const other = await append([], "Whale oil or paraffin?", "Paraffin, says the keeper.");
await carryon(["merge", lamps, other]);
await carryon(["rename", other, "Oil"]);
await carryon(["tag", lamps, "pinned", "shop/lamps"]);
const deleted = await append(["--title", "To be deleted"], "Forget this.", "Gladly.");
await carryon(["export", deleted, "--output", join(kept, "deleted.jsonl")]);
await carryon(["delete", deleted, "--yes"]);
await carryon(["chat", "--name", "harbour"], "Who lights the lamp?\nAnd who pays for it?\n");
await carryon(["run", "Let the list be printed", "--name", "list-done", "--yes"]);
await carryon(["run", "Print the list once more", "--name", "list-open", "-r", "1", "--yes"]);
await carryon(["run", "--resume", "--fork-at-round", "1", "-r", "1", "--yes"]);

// Decisions, notes, documents, checkpoints, a blocker and approvals.
const why = "--context choosing --decision paraffin --reason simple --impact none".split(" ");
await carryon(["decide", "user-decision", "Use paraffin", ...why]);
await carryon(["decide", "direction-change", "Sell no candles", ...why]);
const builder = ["--spec", "login", "--role", "Builder", "--task", "2"];
await carryon(["note", "pattern", "api: retry twice", ...builder]);
await carryon(["note", "pattern", "api: name the lamp", ...builder]);
await carryon(["note", "flush"]);
await carryon(["note", "incident", "lamp: it smoked", ...builder]);
await carryon(["note", "pattern", "lamp: trim the wick", ...builder]);
const handover = ["handover", "--no-ask", "--accomplished", "The list prints", "--warnings", "Short wick"];
await carryon([...handover, "--next", "Trim the wick"]);
await carryon([...handover, "--next", "Light the lamp", "--decisions", "Lamps before candles"]);
await carryon(["save", "-m", "The list", "--next", "Its tests", "--done", "Print it", "--todo", "Sort it"]);
write("work/src/sort.mjs", "export const sort = (items) => items.toSorted();\n");
await carryon(["blocker", "add", "design_issue", "Two owners of one lamp", "--resolution", "Ask the keeper"]);
await carryon(["save", "-m", "Sorting", "--next", "Ask the keeper"]);
await carryon(["check", "allow", "test", "--yes", "--", "npm", "test"]);
await carryon(["recovery", "allow", "build_error", "--yes", "--", "make", "clean"]);

// What this version answers.
await settle();
const { sessions } = (await ask("sessions", "--limit", "100")) as {
  readonly sessions: readonly { readonly id: string }[];
};
for (const { id } of sessions) {
  await ask("show", id, "--full");
  await ask("verify", id);
}
for (const each of ["paraffin", '"harbour lamp"', "role:user lanterns", "tool:bash checked", "keeper*"])
  await ask("search", "--", each);
for (const command of ["decisions", "brief", "blocker", "check", "recovery"]) await ask(command);
await ask("handover", "--history");
await ask("note", "candidates");
await ask("load", "--list");
await ask("load", "--no-ask");
await ask("run", "--list-sessions");
for (const id of [worker, killed]) await ask("gate", "status", "--session", id);
await carryon(["backup", join(kept, "backup.db")]);
await carryon(["export", "--output", join(kept, "export.jsonl")]);

// Events that are not synced yet: one in the inbox, one in the spool because the store was busy.
await tell(pending, "UserPromptSubmit", { prompt: "Polish the brass of the lantern" });
const busy = new DatabaseSync(join(home, "store.db"));
busy.exec("BEGIN IMMEDIATE");
await tell(pending, "PostToolUse-Bash");
busy.exec("ROLLBACK");
busy.close();

// `doctor` reports the log for a week only, which would make tests depend on the day.
rmSync(join(home, "carryon.log"), { force: true });
rmSync(join(folder, "tmp"), { recursive: true });

// Tests replace these two with their own Node and launcher.
const [node, neutralLauncher] = [join(folder, "node"), join(folder, "carryon.cjs")];
const programFiles = ["home/bin/carryon", "home/bin/carryon.json", "home/bin/carryon-hook"];
for (const path of [...programFiles, "work/.claude/settings.local.json"]) {
  const text = readFileSync(join(folder, path), "utf8");
  write(path, text.replaceAll(process.execPath, node).replaceAll(launcher, neutralLauncher));
}

const manifest: Manifest = {
  ...{ version, folder, node, launcher: neutralLauncher },
  ...{ sessions: { worker, titled, forked, killed, pending, lamps, fork, other, deleted } },
  ...{ before, answers: recording.answers },
};
const plain = ["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--directory", folder];
const archive = execFileSync("tar", [...plain, "home", "work", ".claude", "kept"], { maxBuffer: 1 << 26 });
const packed = {
  archive,
  objects: execFileSync("git", ["cat-file", "--batch-all-objects", "--batch"], { cwd: work }),
  manifest: Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`),
};
const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
for (const own of [checkout, homedir(), JSON.stringify(hostname()), dirname(process.execPath), boot])
  for (const [name, bytes] of Object.entries(packed))
    if (bytes.includes(own)) throw new Error(`${own} of this machine is in the ${name}.`);
const target = join(fixtures, "upgrade", version);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, "files.tar.gz"), gzipSync(archive, { level: 9 }));
writeFileSync(join(target, "manifest.json"), packed.manifest);
rmSync(folder, { recursive: true });
