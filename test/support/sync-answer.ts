import { appendFile, mkdir, realpath, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { putSeen } from "./client-folder.ts";
import { openCarryon } from "./run-carryon.ts";

const named = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`;

/** Runs `carryon sync --json` where there is something of everything that it tells, and returns the answer. */
export async function collectSyncAnswer(): Promise<unknown> {
  await using carryon = await openCarryon();
  const [home, work] = [join(carryon.folder, "home"), await realpath(join(carryon.folder, "work"))];
  const unfit = join(work, "..", "unfit");
  const write = async (session: string, rows: readonly object[], cwd = work) => {
    const path = join(carryon.folder, ".claude", "projects", "-work", `${session}.jsonl`);
    await mkdir(dirname(path), { recursive: true });
    const timestamp = "2040-01-01T00:00:00.000Z";
    const common = { type: "user", sessionId: session, cwd, parentUuid: null, timestamp };
    for (const row of rows) await appendFile(path, `${JSON.stringify({ ...common, ...row })}\n`);
    return path;
  };
  const said = (content: string) => ({ message: { role: "user", content } });
  const command = { uuid: "a", ...said("/sdd-design login") };
  await write(named("1"), [command]);
  await write(named("3"), [{ uuid: "c", ...said("hello") }]);
  await carryon.ask(["sync", "--json"]);
  await carryon.ask(["delete", named("3"), "--yes"]);
  await write(named("3"), [{ uuid: "d", ...said("again") }]);
  const revised = { uuid: "a", ...said("/sdd-design login, please") };
  const orphan = { uuid: "b", parentUuid: "gone", ...said("on") };
  const path = await write(named("1"), [revised, orphan, { uuid: "x", type: "brand-new" }]);
  await appendFile(path, `{broken}\n${JSON.stringify({ type: "of-a-newer-client" })}\n`);
  await mkdir(join(home, "spool"), { recursive: true, mode: 0o700 });
  await writeFile(join(home, "spool", "1-1-a.json"), "{");
  await mkdir(join(unfit, ".claude/sdd/handover"), { recursive: true });
  await writeFile(join(unfit, ".claude/sdd/handover/session.md"), "<<<<<<< a\n=======\n>>>>>>> b\n");
  await carryon.call(["trust"], { cwd: unfit });
  await write(named("2"), [{ ...command, uuid: "e" }], unfit);
  const at = new Date("2040-01-01T00:01:00Z");
  const learned = { agent_type: "builder", last_assistant_message: "[PATTERN] api: retry" };
  await putSeen(home, { session: named("1"), at, event: "SubagentStop", payload: { cwd: work, ...learned } });
  const spec = join(work, ".claude/sdd/project/specs/login/spec.yaml");
  await mkdir(dirname(spec), { recursive: true });
  await writeFile(
    spec,
    "feature_name: login\nphase: implementation-complete\nroadmap:\n  wave: 1\n  dependencies: []\n",
  );
  await utimes(spec, at, at);
  await putSeen(home, { session: named("1"), at, event: "Stop", payload: { cwd: work } });
  await putSeen(home, { session: named("2"), at, event: "Stop", payload: { cwd: unfit } });
  return JSON.parse(await carryon.ask(["sync", "--json"]));
}
