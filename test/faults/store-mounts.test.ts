import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { childEnv, scriptPath } from "../support/child.ts";
import { withoutWarnings } from "../support/store-faults.ts";
import { fillStore } from "../support/store-files.ts";
import { startWriter } from "../support/store-writers.ts";
import { tempDir } from "../support/temp-dir.ts";

/**
 * Runs shell commands that may mount what they like: it is seen by nobody else and gone when they end.
 *
 * `$1` is the home folder, `access` and `write` are the scripts of test/support that look at a store and append to it.
 */
async function runWithMounts(
  commands: string,
  home: string,
  ...args: readonly string[]
): Promise<readonly string[]> {
  const run = (name: string) => `"${process.execPath}" "${scriptPath(`store-${name}-child.ts`)}" "$@"`;
  const prelude = `access() { ${run("access")}; }; write() { ${run("writer")}; }`;
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
