import { expect, it, vi } from "vitest";
import { recordASession } from "../examples/record-a-session.ts";
import { openStoreForReading } from "../src/index.ts";
import { tempDir } from "./support/temp-dir.ts";

it("records a session and reads it back", async () => {
  await using dir = await tempDir();
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await recordASession(dir.join("home"));
  expect(print.mock.calls).toEqual([[1, "message"]]);
  print.mockRestore();
  const store = await openStoreForReading(dir.join("home"));
  expect((await store.log.list()).sessions.map((session) => session.title)).toEqual(["Fix the login."]);
  await store[Symbol.asyncDispose]();
});
