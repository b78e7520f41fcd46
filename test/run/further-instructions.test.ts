import { expect, it } from "vitest";
import { describeRestored } from "../../src/cli/run/describe-restored.ts";
import { runNotes } from "../../src/run/prompts.ts";
import { listUserWords } from "../../src/run/replay/recording.ts";
import { replayDry } from "../../src/run/replay-dry.ts";
import { resumeLastRun } from "../../src/run/resume-run.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { gitEnv } from "../support/git-repo.ts";
import { builders, builtFiles, openRunWorld } from "../support/run-world.ts";
import { decides, directs, fakeModel } from "../support/scripted-run.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Goes through its parts, and with the last one at once when somebody says so. */
const listens = fakeModel("anthropic/model-i", (request) => {
  const last = request.messages.at(-1);
  const isAsked = last?.role === "user" && last.parts.some(({ text }) => text === "Part 9 instead.");
  if (!isAsked) return directs(2)(request);
  return [decides({ assessment: "", shouldContinue: true, instruction: "Do part 9." })];
});

const instructorSays = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.kind === "message" && entry.strand === "instructor" && entry.role !== "assistant"
      ? entry.parts.map((part) =>
          part.type === "tool-result" ? `${part.output}` : "text" in part && part.text,
        )
      : [],
  );

it("further instructions are heard before a step that was decided and not begun", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  await world.start({ ...builders(2), instructor: listens, limits: { rounds: 1 } });
  const here = { cwd: world.folder, home: dir.join("home"), env: gitEnv };
  const { session } = await world.resume({
    ...{ ...builders(2), instructor: listens, more: "Part 9 instead.", limits: { rounds: 1 } },
  });
  const { "journal.txt": journal, ...files } = await world.files();
  expect([journal, Object.keys(files)]).toEqual(["part-1\npart-9\n", ["part-1.txt", "part-9.txt"]]);
  const entries = await world.entries(session);
  expect(instructorSays(entries)).toEqual([
    ...["Build it.", "Part 1 is written.", runNotes.withdrawn, "Part 9 instead.", "Part 9 is written."],
    runNotes.ended,
  ]);
  expect(listUserWords(entries).map(({ text }) => text)).toEqual(["Build it.", "Part 9 instead."]);
  expect((await replayDry({ ...here, session })).difference).toBeNull();
});

it("a step that the worker is at is finished before they are heard, which is said", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  await world.start({ ...builders(1), limits: { tokens: 20 } });
  const here = { cwd: world.folder, home: dir.join("home"), env: gitEnv };
  await using run = await resumeLastRun({ ...here, ...builders(1), more: "Hurry." });
  expect(run.restored).toMatchObject({ more: { text: "Hurry.", heard: "after-round" } });
  expect(run.restored && describeRestored(run.restored)).toContain(
    "  You say: Hurry.\n  The worker is in the middle of round 1: the instructor hears it after that.\n",
  );
  expect(await run.drive(new AbortController().signal)).toMatchObject({ rounds: 1 });
  expect(instructorSays(await world.entries(run.session)).slice(0, 3)).toEqual([
    ...["Build it.", "Hurry.", "Part 1 is written."],
  ]);
  expect(await world.files()).toEqual(builtFiles(1));
});
