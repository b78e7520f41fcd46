import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Scenario } from "../support/model-server/scenario.ts";
import { openChatting } from "../support/open-chatting.ts";
import { ends, goesOn, runScenario, runs, writes } from "../support/run-scenario.ts";
import { repoIn } from "../support/save-repo.ts";
import { launcher } from "../support/test-context.ts";

/**
 * Runs shell commands that may mount what they like, with a scripted model: nobody else sees what is mounted.
 *
 * `$1` is the folder of all, `carryon` is the program, whose exit code is printed unless it is 0.
 */
async function runWithMounts(scenario: Scenario, commands: string): Promise<string> {
  await using carryon = await openChatting(scenario, { CARRYON_MODEL: "anthropic/claude-sonnet-5-5" });
  await repoIn(join(carryon.folder, "work"));
  const program = `carryon() { "${process.execPath}" "${launcher}" "$@" 2>&1 || echo "exit $?"; }`;
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const shell = ["sh", "-ec", `${program}; ${commands}`, "sh", carryon.folder];
  const { stdout } = await promisify(execFile)("unshare", [...rights, "--mount", ...shell], {
    env: carryon.env,
  });
  expect(carryon.model.refusals).toEqual([]);
  return stdout.replaceAll(carryon.folder, "<folder>");
}

const many = Array.from({ length: 12 }, (_, index) => `Step ${index + 1}.`);

/** Each round stores a good part of a small disk. */
const talkative = runScenario(
  [...many.map(goesOn), ends("All steps are done.")],
  many.flatMap((step) => [
    runs(`echo '${step}' >> steps; head -c 12000 /dev/urandom | base64`),
    { text: `${step} It is done.` },
  ]),
);

describe("a run whose disk is full", () => {
  // Seed 3: 8.1
  it("stops and says so where the store is on it, and goes on when there is room again", async () => {
    const output = await runWithMounts(
      talkative,
      `mkdir -m 700 "$1/home"; mount -t tmpfs -o size=2m,mode=700 tmpfs "$1/home"
       head -c 700000 /dev/zero > "$1/home/filler"; cd "$1/work"
       carryon run 'Do all steps.' --yes > "$1/first"; tail -4 "$1/first"
       rm "$1/home/filler"; mount -o remount,size=16m "$1/home"
       carryon run --resume --yes > "$1/second"; tail -1 "$1/second"
       cat "$1/first" "$1/second" | grep -c '^Round .* is saved'
       carryon verify | tail -1; uniq steps | wc -l`,
    );
    expect(output.trimEnd().split("\n")).toEqual([
      "carryon: There is no space left for the store <folder>/home/store.db. The last write was not saved; everything before it is.",
      "  Free some space. Everything that was acknowledged is there.",
      expect.stringMatching(/^ {2}Resume with: carryon run --resume --session session-\S+$/),
      "exit 74",
      "All steps are done.",
      "12",
      expect.stringMatching(/^1 session, \d+ entries: all whole and unchanged\.$/),
      "12",
    ]);
  });

  it("goes on where only the files are on it, says what is not kept, and harms no repository", async () => {
    const output = await runWithMounts(
      runScenario(
        [goesOn("Fill it."), goesOn("Write three."), goesOn("Make room."), ends("Done.")],
        [
          ...[runs("cat /dev/zero > big"), { text: "It is full." }],
          ...[writes("three.txt"), { text: "There was no room." }],
          ...[runs("rm big"), { text: "There is room." }],
        ],
      ),
      `mkdir "$1/small"; mount -t tmpfs -o size=1m tmpfs "$1/small"; cp -a "$1/work/." "$1/small"; cd "$1/small"
       carryon run 'Fill it.' --yes --session-file ../session.json | grep -v tokens
       git fsck --no-progress; git for-each-ref refs/carryon | wc -l; find . -name '*.lock' -o -name '*.carryon-tmp'
       git status --porcelain; carryon verify | tail -1`,
    );
    const lines = output.trimEnd().split("\n").slice(1);
    expect(lines.filter((line) => !line.includes("bash"))).toEqual([
      "Round 1: Fill it.",
      expect.stringContaining("No space left on device"),
      "  It is full.",
      expect.stringMatching(/^The files of the rounds are not kept: There is no room to write .*[^.]\.$/),
      "Round 2: Write three.",
      "  → write three.txt (1 line)",
      "  ✗ There is no room to write three.txt. Free some space on its disk, or raise the quota, and try again.",
      "  There was no room.",
      "Round 3: Make room.",
      "  There is room.",
      "Done.",
      "1",
      expect.stringMatching(/^1 session, \d+ entries: all whole and unchanged\.$/),
    ]);
  });
});
