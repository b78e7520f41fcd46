import { expect, it } from "vitest";
import { locateStore, openStore } from "../../src/storage/open-store.ts";
import { openClientFolder } from "../support/client-folder.ts";
import { strace } from "../support/strace.ts";

const sessions = ["1", "2", "3", "4", "5", "6"].map(
  (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`,
);

/** Takes some sessions in, while strace watches what is written to the store beside its database. */
async function watchSync(inject: readonly string[] = []) {
  await using client = await openClientFolder();
  const write = (session: string) => {
    const row = { type: "user", uuid: `of-${session}`, parentUuid: null, sessionId: session };
    const message = { role: "user", content: "hello" };
    return client.write(session, `${JSON.stringify({ ...row, message })}\n`);
  };
  // Somebody else has the store open, so that the end of the sync moves nothing to the database.
  await using other = await openStore(client.home);
  await write("00000000-1111-4111-8111-111111111111");
  await client.sync();
  for (const session of sessions) await write(session);
  const wal = `${locateStore(client.home)}-wal`;
  const options = { calls: ["write", "pwrite64", "fsync", "fdatasync"], paths: [wal], inject };
  const run = await strace(options, "sync-child.ts", client.home, client.path, "2026-11-01T00:00:00Z");
  const { sessions: stored } = await other.log.list({});
  return { ...run, stored: stored.length };
}

it("writes many sessions to the disk at once, before it says that they are there", async () => {
  const { exit, trace, stored } = await watchSync();
  expect({ exit, stored }).toEqual({ exit: 0, stored: sessions.length + 1 });
  expect(trace.filter((call) => !call.includes("write"))).toEqual(["fsync"]);
  expect(trace.at(-1)).toBe("fsync");
});

it("says so when what it took in did not reach the disk", async () => {
  const { exit, stdout, stderr } = await watchSync(["fsync:error=EIO"]);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: "ready\n" });
  expect(stderr).toContain("did not reach the disk");
});
