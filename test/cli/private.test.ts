import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

const session = "11111111-2222-4333-8444-555555555555";

it("keeps the session that runs it to itself, and status says so until it is recorded again", async () => {
  await using carryon = await openCarryon({ CARRYON_SESSION: session });
  const isPrivate = async () => JSON.parse(await carryon.ask(["status", "--json"])).not_recorded;
  expect(await isPrivate()).toBeNull();
  expect(await carryon.call(["private"])).toEqual({
    ...{ code: 0, stdout: "", stderr: `Session ${session} is not recorded from now on.\n` },
  });
  expect(await isPrivate()).toBe("session");
  expect((await carryon.call(["status"])).stdout).toContain("it is private until `carryon private --off`");
  expect((await carryon.call(["private"])).stderr).toBe(`Session ${session} is already not recorded.\n`);
  expect((await carryon.call(["private", "--off"])).stderr).toBe(
    `Session ${session} is recorded from now on.\n`,
  );
  expect(await isPrivate()).toBeNull();
});

it("wants to know which session is meant", async () => {
  await using carryon = await openCarryon();
  const { code, stderr } = await carryon.call(["private"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("No session of a client runs this command.")]);
  expect((await carryon.call(["private", "--session", session])).code).toBe(0);
});

it("takes a session as other commands do, and refuses one that is not there", async () => {
  await using carryon = await openCarryon();
  await carryon.ask(["append"], [{ role: "user", text: "hello" }]);
  const [{ id }] = JSON.parse(await carryon.ask(["sessions", "--json"])).sessions;
  expect((await carryon.call(["private", "--session", "latest"])).stderr).toBe(
    "Session session-00000000-000000-0001 is not recorded from now on.\n",
  );
  expect((await carryon.call(["private", "--session", id.slice(0, -2)])).stderr).toBe(
    "Session session-00000000-000000-0001 is already not recorded.\n",
  );
  const { code, stderr } = await carryon.call(["private", "--session", "nonsense"]);
  expect([code, stderr.split("\n")[0]]).toEqual([2, "carryon: There is no session nonsense in this store."]);
});

it("is not needed in a folder that config.yaml turns off, of which status tells too", async () => {
  await using carryon = await openCarryon();
  const home = join(carryon.folder, "home");
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "config.yaml"), `record: { ${JSON.stringify(carryon.folder)}: off }\n`);
  const { not_recorded } = JSON.parse(await carryon.ask(["status", "--json"]));
  expect(not_recorded).toBe("folder");
});
