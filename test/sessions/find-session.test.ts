import { expect, it } from "vitest";
import { findSession } from "../../src/sessions/find-session.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { titled } from "../../src/sessions/session-events.ts";
import { later, newSession } from "../support/entries.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

async function openWithThree() {
  const test = await openSqliteTestLog();
  const other = await test.projects.recognise({ identities: ["path:/other"], name: "other" });
  const make = async (id: string, project: typeof test.project, seconds: number, title: string) => {
    const session = await test.log.open(newSession(id, project, { startedAt: later(seconds) }));
    await test.log.append(session.id, [titled(parseEntryId("t"), later(seconds), title)]);
  };
  await make("session-20261115-1", test.project, 1, "Auth bug");
  await make("session-20261115-2", test.project, 2, "Auth bug again");
  await make("session-20261116-3", other.id, 3, "Über Größe");
  const find = async (text: string) => (await findSession(test.log, text, { project: test.project })).id;
  return { ...test, log: test.log, find, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

it.each([
  { text: "session-20261115-2", found: "session-20261115-2" },
  { text: "session-20261116", found: "session-20261116-3" },
  { text: "latest", found: "session-20261115-2" },
  { text: "Auth bug", found: "session-20261115-1" },
  { text: "auth BUG ag", found: "session-20261115-2" },
  { text: "ÜBER", found: "session-20261116-3" },
])("finds $found by $text", async ({ text, found }) => {
  await using test = await openWithThree();
  expect(await test.find(text)).toBe(found);
});

it("lists the candidates when a beginning fits several", async () => {
  await using test = await openWithThree();
  for (const text of ["session-20261115", "auth"]) {
    await expect(test.find(text)).rejects.toMatchObject({
      code: "ambiguous-session",
      hint: expect.stringMatching(
        /session-20261115-2 {2}Auth bug again\n {2}session-20261115-1 {2}Auth bug$/,
      ),
    });
  }
});

it("takes only whole titles where something is destroyed", async () => {
  await using test = await openWithThree();
  const find = async (text: string) => (await findSession(test.log, text, { titles: "whole" })).id;
  expect([await find("über größe"), await find("session-20261116")]).toEqual([
    "session-20261116-3",
    "session-20261116-3",
  ]);
  await expect(find("Über")).rejects.toMatchObject({ code: "session-not-found" });
});

it("says what may have been meant", async () => {
  await using test = await openWithThree();
  const hint = expect.stringContaining("Did you mean session-20261116-3");
  await expect(test.find("sesion-20261116-3")).rejects.toMatchObject({ code: "session-not-found", hint });
});

it.each([
  { text: "", code: "invalid-id" },
  { text: "../../x", code: "session-not-found" },
  { text: "-rf", code: "session-not-found" },
  { text: "\u001b[31m", code: "session-not-found" },
  { text: "\ud800", code: "session-not-found" },
  { text: "/".repeat(10_000), code: "invalid-id" },
  { text: "x".repeat(10_000), code: "invalid-id" },
  { text: "%", code: "session-not-found" },
])("refuses $code without a raw control character in its words", async ({ text, code }) => {
  await using test = await openWithThree();
  const error = await test.find(text).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code, kind: "usage" });
  expect(error instanceof Error && /^[\x20-\x7e…]*$/.test(error.message)).toBe(true);
});

it("finds nothing in an empty store", async () => {
  await using test = await openSqliteTestLog();
  await expect(findSession(test.log, "latest", { project: test.project })).rejects.toMatchObject({
    code: "session-not-found",
  });
  await expect(findSession(test.log, parseSessionId("x"), {})).rejects.toMatchObject({
    code: "session-not-found",
  });
});
