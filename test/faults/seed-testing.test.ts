import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { implementer, planner, planning } from "../support/gates/seed-world.ts";
import { makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launcher } from "../support/test-context.ts";
import { callIn, worldIn } from "../support/work-world.ts";

const script = new URL("../fixtures/seed-testing.sh", import.meta.url);
const child = fileURLToPath(new URL("../support/gates/hooks-child.ts", import.meta.url));

/** Prints the sessions at a path and whether each is satisfied; the document has `jq` for it, which not everybody has. */
const lookUp = `
  const at = process.argv[1].split(".").slice(1);
  const found = at.reduce((value, key) => value[key], JSON.parse(require("fs").readFileSync(0)));
  for (const [key, { satisfied }] of Object.entries(found)) console.log(key, satisfied);`;

const words = `
  session() { "${process.execPath}" "${child}" "$@"; }
  carryon() { "${process.execPath}" "${launcher}" "$@"; }
  jq() { "${process.execPath}" -e '${lookUp}' "$1"; }
`;

it("has the sessions in its file that its document says, when its testing section runs as a script", async () => {
  await using dir = await tempDir();
  const world = worldIn(dir.path);
  await makeRepo(world.root, ["first"]);
  await mkdir(join(world.root, ".claude"));
  await writeFile(join(world.root, ".claude", "requirements.yaml"), planning);
  expect(await callIn(world, ["trust"])).toMatchObject({ code: 0 });
  const { stdout } = await promisify(execFile)("sh", ["-ec", `${words}${await readFile(script, "utf8")}`], {
    cwd: world.root,
    env: { ...world.env, PLANNER: planner, IMPLEMENTER: implementer },
  });
  expect(stdout.trimEnd().split("\n")).toEqual([
    "start: 0 of 4 gates on feature/test are satisfied.",
    ...["/arch-review: nothing", "edit: nothing", "stop: nothing"],
    "  ✓ commit_plan (session, met in this session)",
    "end: nothing",
    "abc123ab true",
    ...["start: 0 of 4 gates on feature/test are satisfied.", "edit: deny"],
    "  ✗ commit_plan (session)",
    ...["/arch-review: nothing", "edit: nothing", "stop: nothing", "end: nothing"],
    ...["abc123ab true", "def456de true"],
  ]);
});
