import { expect, it } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { ModelError } from "../../src/model/model-error.ts";
import { builders, builtFiles, openRunWorld } from "../support/run-world.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A model that fails so many times before each of its replies comes. */
function failing(model: Model, code: string, times: number): Model {
  let failures = 0;
  return {
    ...model,
    async *stream(request, signal) {
      if (failures < times) {
        failures += 1;
        yield { type: "text", text: "I was just" };
        throw new ModelError("It broke off.", { kind: "io", code });
      }
      failures = 0;
      yield* model.stream(request, signal);
    },
  };
}

it.each(["model-lost", "model-silent"])(
  "a reply is asked for again where nobody is there to: %s",
  async (code) => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { instructor, worker } = builders(1);
    const options = { instructor: failing(instructor, code, 1), worker: failing(worker, code, 2) };
    const { session, reason } = await world.start(options);
    expect([reason, await world.files()]).toEqual(["done", builtFiles(1)]);
    const retries = world.events.filter(({ type }) => type === "retry");
    expect(retries[0]).toEqual({
      ...{ type: "retry", who: "instructor", reason: "It broke off.", waitMs: 0, attempt: 2, attempts: 3 },
    });
    const cut = (await world.entries(session)).filter(
      (entry) => entry.kind === "message" && entry.interrupted === true,
    );
    expect(cut.length).toBe(retries.length);
  },
);

it("a reply that breaks off three times ends the run, which is then resumed where it was", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const { worker } = builders(1);
  const lost = world.start({ ...builders(1), worker: failing(worker, "model-lost", 3) });
  await expect(lost).rejects.toMatchObject({ code: "model-lost" });
  expect(await world.resume(builders(1))).toMatchObject({ reason: "done", rounds: 1 });
});

it("a report that broke off is heard from its beginning, also after a resume", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const parts = ["Part 1 was", " written, and", " part 2 was not."];
  const worker: Model = {
    ...builders(1).worker,
    async *stream() {
      const text = parts.shift() ?? "";
      yield { type: "text", text };
      const code = parts.length === 2 ? "model-lost" : "model-refused";
      if (parts.length > 0) throw new ModelError("It broke off.", { kind: "io", code });
      const usage = { inputTokens: 1, outputTokens: 1 };
      yield { type: "reply", reply: { parts: [{ type: "text", text }], end: "done", model: "w", usage } };
    },
  };
  await expect(world.start({ ...builders(1), worker })).rejects.toMatchObject({ code: "model-refused" });
  await world.resume({ ...builders(1), worker });
  expect(world.events.find(({ type }) => type === "round-saved")).toMatchObject({
    report: "Part 1 was written, and part 2 was not.",
  });
});

it("what is no lost reply is not asked for again", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const { worker } = builders(1);
  const refused = world.start({ ...builders(1), worker: failing(worker, "model-refused", 1) });
  await expect(refused).rejects.toMatchObject({ code: "model-refused" });
});
