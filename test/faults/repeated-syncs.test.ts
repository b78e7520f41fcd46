import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HookedProject, minute, one, openHookedProject, two } from "../support/hooked-project.ts";
import { dieAt, type KillMoment, startCounting } from "../support/kill-moments.ts";

/** What happens in two sessions, one thing after another. */
const story: readonly ((project: HookedProject) => Promise<unknown>)[] = [
  (project) => project.prompt(one, minute(1), "/sdd-design login"),
  (project) => project.prompt(two, minute(2), "/sdd-impl cart"),
  (project) => project.stop(one, minute(3)),
  (project) =>
    project.hook(two, minute(4), "SubagentStop", {
      ...{ agent_type: "builder", last_assistant_message: "[PATTERN] api: retry" },
    }),
  (project) => project.write(minute(5), "basket.ts", "a"),
  (project) => project.stop(two, minute(6)),
  (project) => project.prompt(one, minute(7), "/sdd-review login"),
  (project) => project.stop(one, minute(8)),
  (project) => project.hook(two, minute(9), "SessionEnd"),
];

/** A moment is the one at which a sync is killed. */
type Happening = "nothing" | "sync" | "two syncs" | KillMoment;

/** Runs a sync in a process of its own, which dies before one of its events unless it ends before. */
async function runChild(project: HookedProject, killAt?: KillMoment): Promise<void> {
  const args = [project.home, project.client.path, minute(20).toISOString()];
  await using child = startCounting("sync-moments-child.ts", args, killAt && dieAt(killAt));
  expect(await child.next()).toBe("ready");
  expect(killAt === undefined ? [0] : [0, "SIGKILL"]).toContain(await child.ended());
}

async function happen(project: HookedProject, what: Happening): Promise<void> {
  if (what === "sync") await project.sync(minute(20));
  if (what === "two syncs") await Promise.all([project.sync(minute(20)), runChild(project)]);
  if (typeof what === "object") await runChild(project, what);
}

/** Tells the story, with something that happens after each of its parts, and returns what the sessions have left. */
async function tell(happenings: readonly Happening[]) {
  await using project = await openHookedProject();
  for (const [index, part] of story.entries()) {
    await part(project);
    await happen(project, happenings[index] ?? "nothing");
  }
  await project.sync(minute(20));
  expect(await project.sync(minute(21))).toMatchObject({ drafted: [], noted: [], items: 0 });
  const decisions = await project.handover(minute(22), (each) => each.decisions());
  const versions = await project.handover(minute(22), (each) => each.history());
  const last = (done: string) => versions.findLast(({ text }) => text.includes(done))?.text;
  const withoutNumbers = (text: string | undefined) => text?.replace(/D\d+/g, "D");
  return {
    starts: decisions.map(({ context }) => context).toSorted(),
    session: { one: withoutNumbers(last("login")), two: withoutNumbers(last("cart")) },
    buffer: await project.read("buffer.md"),
  };
}

describe("documents after a story of two sessions", () => {
  it("are the same whatever syncs ran in between, at once or killed", async () => {
    const whole = await tell([]);
    expect(whole.starts).toEqual([`session ${one}`, `session ${two}`]);
    expect(whole.session.one).toContain("- /sdd-design login\n- /sdd-review login\n");
    expect(whole.session.two).toContain("- /sdd-impl cart\n");
    // Not meanwhile: a seed that fails must fail again.
    const kill = <Phase extends KillMoment["phase"]>(phase: Phase, max: number) =>
      fc.record({
        phase: fc.constant(phase),
        number: fc.integer({ min: 1, max }),
        manner: fc.constant("before" as const),
      });
    const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("nothing" as const, "sync" as const) },
      { weight: 1, arbitrary: fc.constant("two syncs" as const) },
      { weight: 1, arbitrary: fc.oneof(kill("work", 250), kill("files", 15)) },
    );
    const anyHappenings = fc.array(anyHappening, { minLength: story.length, maxLength: story.length });
    await fc.assert(
      fc.asyncProperty(anyHappenings, async (happenings) => {
        const told = await tell(happenings);
        expect({ ...told, session: linesOf(told.session) }).toEqual({
          ...whole,
          session: linesOf(whole.session),
        });
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});

/** What a session has accomplished; which files differ depends on when it was looked. */
function linesOf(session: { readonly one: string | undefined; readonly two: string | undefined }) {
  const done = (text: string | undefined) => /## Accomplished\n((?:- .*\n)*)/.exec(text ?? "")?.[1];
  return { one: done(session.one), two: done(session.two) };
}
