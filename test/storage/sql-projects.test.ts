import { expect, it } from "vitest";
import { openSqliteTestLog } from "../support/test-log.ts";

it("keeps the first commit as the id of a project that is then seen in a shallow clone", async () => {
  await using test = await openSqliteTestLog();
  const whole = await test.projects.recognise({ identities: ["root:a", "remote:r", "folder:/x"], name: "x" });
  expect(await test.projects.recognise({ identities: ["remote:r", "folder:/shallow"], name: "s" })).toEqual(
    whole,
  );
  expect(await test.projects.known(["folder:/shallow"])).toEqual({ id: "root:a", name: "x" });
  const other = await test.projects.recognise({ identities: ["root:b", "folder:/shallow"], name: "other" });
  expect([other.id, await test.projects.known(["remote:r"])]).toEqual(["root:b", whole]);
});
