import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callNotes } from "../../src/run/make-calls.ts";
import { replayDry } from "../../src/run/replay-dry.ts";
import { gitEnv } from "../support/git-repo.ts";
import { builders, openRunWorld, type RunWorld } from "../support/run-world.ts";
import { asks, fakeModel, readStep, words } from "../support/scripted-run.ts";
import { tempDir } from "../support/temp-dir.ts";

const content = "password = hunter2hunter2\n";

/** Writes a password and a file without one in one reply; what was not made is made again. */
const worker = fakeModel("openai/model-w", (request) => {
  const { made } = readStep(request);
  const write = asks("write", { path: "part-env", content }, `w${made.length}`);
  if (made.length === 0) return [write, asks("write", { path: "part-1", content: "Part 1.\n" }, "other")];
  return made.some(({ output }) => output === callNotes.redacted) && made.length === 2
    ? [write]
    : [words("Both are written.")];
});
const models = { ...builders(1), worker };

const typesOf = ({ events }: RunWorld) => events.map(({ type }) => type);

it("a call is made with its secrets in the process that was told it", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const { session } = await world.start(models);
  expect(await world.files()).toEqual({ "part-env": content, "part-1": "Part 1.\n" });
  expect(JSON.stringify(await world.entries(session))).not.toContain("hunter2");
});

it.each([
  { stop: "a limit", limits: { tokens: 20 } },
  {
    stop: "somebody at the question",
    approve: async () => {
      throw new Error("Enough.");
    },
  },
])("after a stop by $stop, no marker gets into a file: the worker makes the call again", async (options) => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const { stop: _stop, ...given } = options;
  await world.start({ ...models, ...given }).catch((error) => expect(error.message).toBe("Enough."));
  expect(await world.files()).toEqual({});
  const { session, reason } = await world.resume({ ...models, limits: { tokens: 1000 } });
  expect(reason).toBe("done");
  expect(await world.files()).toEqual({ "part-env": content, "part-1": "Part 1.\n" });
  expect(typesOf(world).filter((type) => type === "not-made" || type === "repaired")).toEqual(["not-made"]);
  const told = (await world.entries(session)).flatMap((entry) =>
    entry.kind === "message" ? entry.parts : [],
  );
  expect(told.filter((part) => part.type === "tool-result" && part.output === callNotes.redacted)).toEqual([
    { type: "tool-result", call: "w0", output: callNotes.redacted, failed: true },
  ]);
  const here = { cwd: world.folder, home: dir.join("home"), env: gitEnv };
  expect((await replayDry({ ...here, session })).difference).toBeNull();
  expect(await readFile(join(world.folder, "part-env"), "utf8")).not.toContain("redacted");
});
