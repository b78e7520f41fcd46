import { access } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseBuffer } from "../../src/handover/buffer/buffer-doc.ts";
import { type HookedProject, minute, one, openHookedProject } from "../support/hooked-project.ts";

const report = [
  "Done.",
  "- [PATTERN] api: retry twice (source: login Builder, task 2)",
  "- [INCIDENT] The server forgets its keys.",
  "```",
  "[REFERENCE] only shown",
  "```",
].join("\n");

const subagent = (project: HookedProject, at: Date, payload: object = {}) =>
  project.hook(one, at, "SubagentStop", {
    ...{ agent_id: "a1", agent_type: "builder", last_assistant_message: report, ...payload },
  });

const notes = async (project: HookedProject) => parseBuffer(await project.read("buffer.md")).doc.notes;
const pattern = { tag: "PATTERN", text: "api: retry twice", source: "login Builder, task 2" };
const incident = { tag: "INCIDENT", text: "The server forgets its keys." };

describe("the last message of a subagent", () => {
  // Seed 0: 5.5, 7.4
  it("leaves its tagged lines in buffer.md, each once, and says where it was learned", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-impl cart");
    // Two installed hooks both tell.
    for (const at of [minute(2), new Date(minute(2).getTime() + 1)]) await subagent(project, at);
    const path = project.join(".claude/sdd/handover/buffer.md");
    expect(await project.sync(minute(3))).toMatchObject({
      ...{ noted: [{ path, session: one, notes: 2 }], drafted: [], items: 2 },
    });
    const learned = [pattern, { ...incident, source: "cart builder, task unspecified" }];
    expect(await notes(project)).toEqual(learned);
    expect(await project.sync(minute(4))).toMatchObject({ noted: [], items: 0 });
    expect(await notes(project)).toEqual(learned);
  });

  it("says that nobody said for what it was learned, where no command did", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "Build it");
    await subagent(project, minute(2));
    await project.sync(minute(3));
    const source = "unspecified builder, task unspecified";
    expect(await notes(project)).toEqual([pattern, { ...incident, source }]);
  });

  it("does not come back after it was flushed, though the hook is heard again", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-impl cart");
    await subagent(project, minute(2));
    await project.sync(minute(3));
    await project.handover(minute(4), (handover) => handover.flush());
    await subagent(project, minute(2));
    expect(await project.sync(minute(5))).toMatchObject({ noted: [], items: 1 });
    expect(await notes(project)).toEqual([]);
    // Who learns it anew says so.
    await subagent(project, minute(6));
    expect(await project.sync(minute(7))).toMatchObject({ noted: [{ notes: 2 }] });
  });

  it.each([
    { case: "the client sums up for a compaction", payload: { agent_type: "" } },
    { case: "it has no tags", payload: { last_assistant_message: "Use [PATTERN] lines." } },
    { case: "there is none", payload: { last_assistant_message: null } },
  ])("leaves nothing when $case", async ({ payload }) => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "Build it");
    await subagent(project, minute(2), payload);
    expect(await project.sync(minute(3))).toMatchObject({ noted: [], unwritten: [], items: 1 });
    await expect(access(project.join(".claude"))).rejects.toThrow("ENOENT");
  });
});
