import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { findSession } from "../../src/sessions/find-session.ts";
import { readShortIds } from "../../src/sessions/short-ids.ts";
import { newSession } from "../support/entries.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";
import { openSqliteTestLog } from "../support/test-log.ts";
import { recordTwoWays } from "../support/two-ways.ts";

const alone = "session-20261117-033103-aaaa-alone";
const copied = "session-20261117-033103-vmel-the-login";
const uuid = "1feeca77-1111-4111-8111-111111111111";
const ids = [alone, copied, `${copied}-laptop`, uuid, `${uuid}-laptop`, "short"];

describe("a short id", () => {
  it("is the whole where another session begins the same, and always finds its session", async () => {
    await using test = await openSqliteTestLog();
    for (const id of ids) await test.log.open(newSession(id, test.project));
    const shortId = await readShortIds(test.log, ids);
    expect(ids.map(shortId)).toEqual(["session-20261117-033103-aaaa", ...ids.slice(1)]);
    for (const id of ids) expect((await findSession(test.log, shortId(id), {})).id).toBe(id);
  });

  it("is what the list on a terminal and the command of a search hit have", async () => {
    await using carryon = await openCarryon();
    const { origin } = await recordTwoWays(carryon);
    const { env, folder } = carryon;
    const say = async (args: readonly string[]) => {
      const context = testContext(join(folder, "work"), { env, userHome: folder, columns: 120 });
      expect(await runCli(args, context)).toBe(0);
      return context.said.out;
    };
    expect(await say(["search", "cookie"])).toContain(`carryon show ${origin.slice(0, 28)} --from`);
    await carryon.ask(["export", origin, "--output", "origin.jsonl"]);
    const file = join(folder, "work", "origin.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll(origin, `${origin}-laptop`));
    await carryon.ask(["import", file]);
    expect(await say(["search", "cookie"])).toContain(`carryon show ${origin} --from`);
    const listed = (await say(["sessions"])).split("\n").map((line) => line.split(" ")[0]);
    expect(listed).toEqual(expect.arrayContaining([origin, `${origin}-laptop`]));
  });

  it("knows of sessions that are not listed", async () => {
    await using test = await openSqliteTestLog();
    for (const id of [uuid, `${uuid}-laptop`]) await test.log.open(newSession(id, test.project));
    expect((await readShortIds(test.log, [uuid]))(uuid)).toBe(uuid);
  });
});
