import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixture, sessionOf } from "../support/claude-transcripts.ts";
import { runWithMounts } from "../support/run-with-mounts.ts";
import { tempDir } from "../support/temp-dir.ts";

const rows = fixture("2.1.197/resumed");
const session = sessionOf(rows);

it.each([
  {
    case: "may not be written",
    mount: 'mount --bind . . && mount -o remount,bind,ro "$PWD"',
    said: "may not be written",
  },
  {
    case: "is full",
    mount:
      'cp * "$1"; mount -t tmpfs -o size=64k tmpfs .; cd "$PWD"; cp "$1"/*.jsonl .; cat /dev/zero > filler 2> /dev/null || true',
    said: "There is no room to write",
  },
])("leaves a folder that $case as it is, and says so", async ({ mount, said }) => {
  await using dir = await tempDir();
  const folder = join(dir.path, "client", "projects", "-work");
  await mkdir(folder, { recursive: true });
  const text = rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(folder, `${session}.jsonl`), text.slice(0, -20));
  const lines = await runWithMounts(
    dir.path,
    `export CLAUDE_CONFIG_DIR="$1/client"; cd "$1/client/projects/-work"; ${mount}; cd "$PWD"
     cat ${session}.jsonl > "$1/before"; ls -A > "$1/names"
     carryon repair --client claude-code --install
     cmp ${session}.jsonl "$1/before"; ls -A | diff - "$1/names"`,
  );
  expect(lines).toEqual([expect.stringContaining(said), expect.stringMatching(/^ {2}\S/), "exit 74"]);
});
