import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { runWithMounts } from "../support/run-with-mounts.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launcher } from "../support/test-context.ts";
import { callIn, worldIn } from "../support/work-world.ts";

const child = fileURLToPath(new URL("../support/gates/hooks-child.ts", import.meta.url));

/** `hooks` lets a session do things; `problems` prints what `carryon gate` and `carryon doctor` say is wrong, each as JSON. */
const words = `
  hooks() { "${process.execPath}" "${child}" "$@"; }
  problems() {
    carryon gate status --session s1 --json | "${process.execPath}" -e '
      const { problems } = JSON.parse(require("fs").readFileSync(0));
      for (const { path, problem } of problems) console.log("gate:", path, problem);'
    { carryon doctor --json || true; } | "${process.execPath}" -e '
      const { problems } = JSON.parse(require("fs").readFileSync(0, "utf8").split("\\n")[0]);
      for (const { what } of problems) console.log("doctor:", what);'
  }
  cd "$1/work"`;

/** Makes a trusted repository with a gate on edits that a skill satisfies. */
async function makeWorld(folder: string): Promise<void> {
  const world = worldIn(folder);
  await makeRepo(world.root, ["first"]);
  await git(world.root, "switch", "--quiet", "--create", "topic");
  await mkdir(join(world.root, ".claude"));
  await mkdir(join(folder, ".claude"), { recursive: true });
  const gates = "requirements: { commit_plan: { enabled: true, auto_resolve_skill: plan-review } }\n";
  await writeFile(join(world.root, ".claude", "requirements.yaml"), gates);
  expect(await callIn(world, ["trust"])).toMatchObject({ code: 0 });
}

/** Runs commands among mounts; the part of a name that differs from run to run is left out. */
async function run(folder: string, commands: string): Promise<readonly string[]> {
  const lines = await runWithMounts(folder, `${words}\n${commands}`);
  return lines.map((line) => line.replace(/cache\/gates\/[0-9a-f]{16}/, "cache/gates"));
}

const unsatisfied = "start: 0 of 1 gates on topic are satisfied.";
const rest = ["/plan-review: nothing", "edit: nothing", "stop: nothing", "end: nothing"];
const allowed = [unsatisfied, "edit: nothing", ...rest];
const refused = [unsatisfied, "edit: deny", ...rest];
const all = "start edit /plan-review edit stop end";
const inEach = (commands: string) =>
  `for place in work/.git/requirements .claude home/cache/gates; do mkdir -p "$1/$place"; ${commands}; done`;
const named = (paths: readonly string[], says: string) => [
  ...paths.map((path) => `gate: <folder>/${path} ${says}`),
  ...paths.map((path) => `doctor: <folder>/${path} ${says}.`),
];
const places = ["work/.git/requirements", ".claude", "home/cache/gates"];
const state = "work/.git/requirements/topic.json";
const metrics = "work/.git/requirements/sessions/s1.json";
const registry = ".claude/sessions.json";

describe("gates on a disk that is full", () => {
  // Seed 2: 1.6
  it("refuse nothing, are told, and are asked for when there is room again", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const fill = `mount -t tmpfs -o size=128k tmpfs "$1/$place"; cat /dev/zero > "$1/$place/filler" 2> "$1/said" || true`;
    const lines = await run(
      dir.path,
      `${inEach(fill)}
       hooks s1 ${all} told; problems
       find .git/requirements "$1/.claude" "$1/home/cache" -type f ! -name filler ! -name '*.uses*' -o -size +0 -name '*.uses*'
       ${inEach('rm "$1/$place/filler"')}
       hooks s1 ${all} told; problems`,
    );
    const told = [registry, "work/.git/requirements", metrics, state].map((path) => `<folder>/${path}`);
    const full = named(places, "is on a disk that is full");
    expect(lines).toEqual([...allowed, ...told, ...full, ...refused]);
  });
});

describe("gates on a disk that can only be read", () => {
  const lock = inEach('mount --bind "$1/$place" "$1/$place"; mount -o remount,bind,ro "$1/$place"');

  // Seed 2: 10.2
  it("refuse nothing that nobody could satisfy, and are told", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const lines = await run(dir.path, `${lock}; hooks s1 ${all}; problems`);
    expect(lines).toEqual([...allowed, ...named(places, "is on a disk that can only be read")]);
  });

  it("count with what was satisfied before", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const lines = await run(
      dir.path,
      `hooks s1 start /plan-review; ${lock}; hooks s1 start edit stop; carryon gate satisfy commit_plan --session s1
       problems | grep -v ' disk ' | grep gate:`,
    );
    expect(lines).toEqual([
      ...[unsatisfied, "/plan-review: nothing"],
      ...["start: 1 of 1 gates on topic are satisfied.", "edit: nothing", "stop: nothing"],
      expect.stringMatching(/^carryon: .* may not be written\.$/),
      ...["  Check the permissions of the file and of its folder.", "exit 74"],
      ...[state, metrics, registry].map((path) => `gate: <folder>/${path} is read-only`),
    ]);
  });
});

describe("gates of another user", () => {
  const top = dirname(dirname(launcher));
  /** Where others find a file of this repository, which may be in a folder of ours alone. */
  const shown = (path: string) => join("$shown", relative(top, path));
  /** Another user owns everything, and `as` runs what is said as that user. */
  const other = `chown -R 12345 "$1"; shown="$1/shown"; mkdir "$shown"; mount --bind "${top}" "$shown"
    node="${shown(process.execPath)}"; as() { setpriv --reuid=12345 --clear-groups -- "$node" "$@"; }
    gate() { as "${shown(launcher)}" gate status --session s1 --json | "$node" -e '
      const { problems } = JSON.parse(require("fs").readFileSync(0));
      for (const { path, problem } of problems) console.log("gate:", path, problem);'; }
    as_hooks() { as "${shown(child)}" "$@"; }`;

  it("count, and are named", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const lines = await run(
      dir.path,
      `hooks s1 start /plan-review; chown 12345 "$1/${state}" "$1/${metrics}" "$1/${registry}" .claude/requirements.yaml
       problems; hooks s1 edit stop told`,
    );
    const files = ["work/.claude/requirements.yaml", state, metrics, registry];
    expect(lines).toEqual([
      ...[unsatisfied, "/plan-review: nothing"],
      ...named(files, "belongs to another user, of the number 12345"),
      ...["edit: nothing", "stop: nothing"],
    ]);
  });

  it("refuse nothing where they may not be read, and are named", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const lines = await run(
      dir.path,
      `hooks s1 start /plan-review edit > "$1/said"; ${other}; chmod 000 "$1/${state}" "$1/${metrics}" "$1/${registry}"
       gate; as_hooks s2 edit`,
    );
    expect(lines).toEqual([
      ...[state, metrics, registry].map((path) => `gate: <folder>/${path} may not be read`),
      "edit: nothing",
    ]);
  });

  it("refuse nothing where the folder of the state may not be written, although that of the metrics may", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const lines = await run(
      dir.path,
      `hooks s1 start > "$1/said"; ${other}; chmod 555 .git/requirements; as_hooks s1 ${all}; gate`,
    );
    expect(lines).toEqual([...allowed, "gate: <folder>/work/.git/requirements may not be written"]);
  });

  it("can be asked for where the store may not be read", async () => {
    await using dir = await tempDir();
    await makeWorld(dir.path);
    const lines = await run(dir.path, `${other}; chmod 000 "$1"/home/store.db*; gate`);
    expect(lines).toEqual([
      expect.stringMatching(/^gate: <folder>\/home does not say whether this project is trusted: /),
    ]);
  });
});
