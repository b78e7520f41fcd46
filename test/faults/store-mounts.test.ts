import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { childEnv, scriptPath } from "../support/child.ts";
import { withoutWarnings } from "../support/store-faults.ts";
import { fillStore } from "../support/store-files.ts";
import { startWriter } from "../support/store-writers.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launcher } from "../support/test-context.ts";

/**
 * Runs shell commands that may mount what they like: it is seen by nobody else and gone when they end.
 *
 * `$1` is the home folder, `access` and `write` are the scripts of test/support that look at a store and append to it,
 * `carryon` is the program, whose exit code is printed unless it is 0.
 */
async function runWithMounts(
  commands: string,
  home: string,
  ...args: readonly string[]
): Promise<readonly string[]> {
  const run = (name: string) => `"${process.execPath}" "${scriptPath(`store-${name}-child.ts`)}" "$@"`;
  const program = `CARRYON_HOME="$home" "${process.execPath}" "${launcher}" "$@" || echo "exit $?"`;
  const prelude = `home="$1"; access() { ${run("access")}; }; write() { ${run("writer")}; }; carryon() { ${program}; }`;
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const shell = ["sh", "-ec", `${prelude}; ${commands}`, "sh", home, ...args];
  const { stdout, stderr } = await promisify(execFile)("unshare", [...rights, "--mount", ...shell], {
    env: childEnv,
  });
  expect(withoutWarnings(stderr)).toBe("");
  return stdout.trimEnd().split("\n");
}

describe("a store on a mount that is read-only", () => {
  const readOnly = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; access "$1" "$2"';

  it("can be read and backed up, but not written", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    expect(await runWithMounts(readOnly, home, dir.join("copy.db"))).toEqual([
      '{"read":12,"appended":"store-read-only","backedUp":2}',
    ]);
  });

  it("can be read with what its WAL holds", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    const writer = startWriter(home, "one", "w-");
    while (writer.receipts.length < 5) await writer.next();
    writer.child.kill("SIGKILL");
    await writer.ended();
    const [line = ""] = await runWithMounts(readOnly, home, dir.join("copy.db"));
    const { read, ...others } = JSON.parse(line);
    expect(others).toEqual({ appended: "store-read-only", backedUp: 1 });
    expect([writer.receipts.length, writer.receipts.length + 1]).toContain(read);
  });

  it("cannot be made there", async () => {
    await using dir = await tempDir();
    expect(await runWithMounts(`mkdir "$1"; ${readOnly}`, dir.join("home"), dir.join("copy.db"))).toEqual([
      '{"read":"no-store","appended":"store-read-only","backedUp":"store-failed"}',
    ]);
  });
});

describe("a store on a disk that is full", () => {
  it("keeps what was acknowledged, can be read, and goes on when there is room again", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    const lines = await runWithMounts(
      `mkdir -m 700 "$1"; mount -t tmpfs -o size=2m,mode=700 tmpfs "$1"; head -c 500000 /dev/zero > "$1/filler"
       write "$1" one w- || echo "exit $?"
       cat /dev/zero > "$1/rest" 2> /dev/null || true
       access "$1" "$2"
       rm "$1/filler"
       access "$1" "$2"`,
      home,
      dir.join("copy.db"),
    );
    const receipts = lines.slice(0, -4);
    expect(receipts).toEqual(receipts.map((_, index) => `${index + 1} w-${index + 1}`));
    expect(receipts.length).toBeGreaterThan(10);
    const { length } = receipts;
    expect(lines.slice(-4)).toEqual([
      "failed store-full",
      "exit 74",
      `{"read":${length},"appended":"store-full","backedUp":1}`,
      `{"read":${length},"appended":1,"backedUp":1}`,
    ]);
  });

  it("can be read and backed up when the disk was filled by others while nobody used it", async () => {
    await using dir = await tempDir();
    const lines = await runWithMounts(
      `mkdir -m 700 "$1"; mount -t tmpfs -o size=2m,mode=700 tmpfs "$1"
       write "$1" one w- 10 > /dev/null; cat /dev/zero > "$1/rest" 2> /dev/null || true
       access "$1" "$2"`,
      dir.join("home"),
      dir.join("copy.db"),
    );
    expect(lines).toEqual(['{"read":10,"appended":"store-full","backedUp":1}']);
  });
});

describe("carryon append", () => {
  const line = JSON.stringify({ role: "user", text: "Fix the login." });
  const say = `echo '${line}' | carryon append 2>&1`;

  it("says that the store is read-only, and leaves it as it is", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    const lines = await runWithMounts(
      `mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; ${say}; carryon verify`,
      home,
    );
    expect(lines).toEqual([
      `carryon: The store ${home}/store.db is read-only.`,
      expect.stringMatching(/^ {2}Check who owns the folder/),
      "exit 74",
      "ok   two  6 entries",
      "ok   one  6 entries",
      "2 sessions, 12 entries: all whole and unchanged.",
    ]);
  });

  it("says that the disk is full, keeps what it acknowledged, and goes on when there is room", async () => {
    await using dir = await tempDir();
    const lines = await runWithMounts(
      `mkdir -m 700 "$1"; mount -t tmpfs -o size=2m,mode=700 tmpfs "$1"; head -c 500000 /dev/zero > "$1/filler"
       yes '${line}' | head -20000 | carryon append 2>&1
       carryon sessions --all --json; rm "$1/filler"; carryon verify; ${say}`,
      dir.join("home"),
    );
    const [session = "", ...others] = lines;
    const end = others.findIndex((each) => each.startsWith("carryon: "));
    const receipts = others.slice(0, end).map((each) => JSON.parse(each).seq);
    expect(receipts).toEqual(receipts.map((_, index) => index + 1));
    expect(receipts.length).toBeGreaterThan(100);
    const { length } = receipts;
    expect(others.slice(end)).toEqual([
      expect.stringMatching(/^carryon: There is no space left for the store .*everything before it is\.$/),
      "  Free some space. Everything that was acknowledged is there.",
      "exit 74",
      expect.stringContaining('"status":"interrupted","writer":null'),
      `ok   ${JSON.parse(session).session}  ${length} entries`,
      `1 session, ${length} entries: all whole and unchanged.`,
      expect.stringMatching(/^\{"session":/),
      expect.stringMatching(/^\{"seq":1,/),
    ]);
  });

  it("makes no store on a disk that is full from the beginning, and makes it when there is room", async () => {
    await using dir = await tempDir();
    const lines = await runWithMounts(
      `mkdir -m 700 "$1"; mount -t tmpfs -o size=1m,mode=700 tmpfs "$1"; cat /dev/zero > "$1/filler" 2> /dev/null || true
       ${say}; rm "$1/filler"; ${say}`,
      dir.join("home"),
    );
    expect(lines).toEqual([
      expect.stringMatching(/^carryon: There is no (space left|room)/),
      expect.stringMatching(/^ {2}Free some space/),
      "exit 74",
      expect.stringMatching(/^\{"session":/),
      expect.stringMatching(/^\{"seq":1,/),
    ]);
  });
});
