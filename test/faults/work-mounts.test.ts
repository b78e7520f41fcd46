import { describe, expect, it } from "vitest";
import { runWithMounts } from "../support/run-with-mounts.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeUnsavedWorld } from "../support/work-world.ts";

// The hash of each file by its name, but for what a save is there to change.
const files = `files() { find . -name .git -prune -o -type f ! -path './.claude/*' -print0 | sort -z | xargs -0 sha256sum; }`;

describe("a save on a disk that is full", () => {
  it("says so, loses nothing, and is made when there is room again", async () => {
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    const lines = await runWithMounts(
      dir.path,
      `${files}; mkdir "$1/small"
       for free in 0 4 8 16 24 32 48 64 96; do
         mount -t tmpfs -o size=4m tmpfs "$1/small"; cp -a "$1/work/." "$1/small"; cd "$1/small"
         files > "$1/before"
         dd if=/dev/zero of=.git/rest bs=1k count=$free 2> /dev/null
         cat /dev/zero > .git/filler 2> /dev/null || true
         rm .git/rest
         carryon save > "$1/said" || true
         grep -o 'no room to write\\|could not make the commit\\|went wrong inside' "$1/said" || true
         files | cmp - "$1/before"
         git fsck --no-progress --no-dangling
         rm .git/filler
         carryon save | grep exit || true
         files | cmp - "$1/before"; echo "$free: $(git status --porcelain) $(git log --format=%s main..)"
         find . -name '*.lock' -o -name '*.carryon-tmp'
         cd /; umount "$1/small"
       done`,
    );
    const ends = lines.filter((line) => /^\d+: /.test(line));
    expect(ends).toEqual(
      [0, 4, 8, 16, 24, 32, 48, 64, 96].map((free) => `${free}: AM .env WIP: second - checkpoint`),
    );
    const others = new Set(lines.filter((line) => !ends.includes(line)));
    expect([...others].toSorted()).toEqual(["could not make the commit", "no room to write"]);
  });
});

const noRight = [
  expect.stringMatching(/^carryon: .* may not be written\.$/),
  "  Check the permissions of the file and of its folder.",
  "exit 74",
];

describe("a save without the right to write", () => {
  it.each([
    { case: "the folder of the state", path: ".claude" },
    { case: "the work tree", path: "." },
    { case: "the folder of git", path: ".git" },
  ])("says so, and changes nothing: $case", async ({ path }) => {
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    const lines = await runWithMounts(
      dir.path,
      `${files}; cd "$1/work"; files > "$1/before"; git log -1 --format=%H > "$1/head"; cp .claude/session-state.json "$1/state"
       mount --bind "$1/work/${path}" "$1/work/${path}"; mount -o remount,bind,ro "$1/work/${path}"; cd "$1/work"
       carryon save
       files | cmp - "$1/before"; git log -1 --format=%H | cmp - "$1/head"; cmp .claude/session-state.json "$1/state"
       carryon load | head -1`,
    );
    expect(lines).toEqual([...noRight, "Work     second"]);
  });
});
