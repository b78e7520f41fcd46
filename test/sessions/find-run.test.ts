import { expect, it } from "vitest";
import { findRun } from "../../src/sessions/find-session.ts";
import { bring } from "../support/bring.ts";
import { later, newSession, said } from "../support/entries.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

// Seed 3: 3.3, 4.1, 6.2
it("the latest run is one that was last worked in here; one of another machine has to be named", async () => {
  await using there = await openSqliteTestLog();
  await using here = await openSqliteTestLog();
  const run = (id: string, machine: string) =>
    newSession(id, here.project, { client: "carryon-run", machine });
  await there.log.open({ ...run("theirs", "ada-laptop"), project: there.project }, [said("1", "act")]);
  await bring(there, here, { machine: "ada-laptop" });
  const { project } = (await here.log.list({ limit: 1 })).sessions[0] ?? {};
  const find = (text?: string) => findRun(here.log, text, { project, now: later(99) });
  await expect(find()).rejects.toMatchObject({
    code: "no-run",
    message: expect.stringContaining("the newest of ada-laptop"),
    hint: expect.stringContaining("`carryon run --resume --session theirs`"),
  });
  expect(await find("theirs")).toMatchObject({ id: "theirs" });
  const [theirs] = (await here.log.list({ limit: 1 })).sessions;
  if (theirs === undefined) throw new Error("It was brought.");
  await here.log.append(theirs.id, [said("2", "act on")]);
  expect(await find("latest")).toMatchObject({ id: "theirs" });
});
