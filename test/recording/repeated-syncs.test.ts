import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateHandover, openHandover } from "../../src/handover/handover-folder.ts";
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

describe("documents that cannot be written", () => {
  it("are told of, in the report and in the log, and keep no other project waiting", async () => {
    await using project = await openHookedProject();
    await project.trust();
    await using other = await openHookedProject({ first: "another" });
    await mkdir(project.join(".claude/sdd/handover"), { recursive: true });
    await writeFile(
      project.join(".claude/sdd/handover/session.md"),
      "<<<<<<< ours\n=======\n>>>>>>> theirs\n",
    );
    for (const minutes of [1, 3]) {
      await project.prompt(one, minute(minutes), "/sdd-design login");
      await project.stop(one, minute(minutes + 1));
    }
    const told = { cwd: other.root };
    await project.say(two, minute(5), user("/sdd-impl cart"), other.root);
    await project.stop(two, minute(6), told);
    const { drafted, unwritten, failed, items } = await project.sync(minute(7));
    const [path, unfit] = [other, project].map((each) => each.join(".claude/sdd/handover/session.md"));
    const reason = "A git merge left its marks in the document, in lines 1, 2, 3.";
    expect({ drafted, unwritten, failed, items }).toEqual({
      drafted: [{ path, session: two, trigger: "command-completed" }],
      unwritten: [{ path: unfit, code: "unfinished-merge", reason }],
      ...{ failed: [], items: 3 },
    });
    const log = await readFile(join(project.home, "carryon.log"), "utf8");
    expect(log).toBe(`${minute(7).toISOString()} sync: ${unfit}: ${reason}\n`);
    expect(await project.sync(minute(8))).toMatchObject({ unwritten: [], items: 0 });
  });

  it("are written by the next sync when somebody else was changing them", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.hook(one, minute(3), "SessionEnd");
    const place = { root: project.root, sddDir: ".claude/sdd" };
    {
      await using _held = await openHandover(place);
      const { drafted, unwritten, items } = await project.sync(minute(4));
      expect({ drafted, unwritten, items }).toMatchObject({
        ...{ drafted: [], unwritten: [{ code: "lock-busy" }], items: 0 },
      });
    }
    const path = locateHandover(place).session;
    expect(await project.sync(minute(5))).toMatchObject({ drafted: [{ path, session: one }], items: 2 });
  }, 20_000);

  it("are told of in the report alone where the log cannot be written either", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.write(minute(0), ".claude/sdd/handover", "a file");
    await mkdir(join(project.home, "carryon.log"), { recursive: true, mode: 0o700 });
    await chmod(project.home, 0o700);
    expect(await project.sync(minute(3))).toMatchObject({ unwritten: [{ code: "not-a-folder" }], items: 1 });
  });
});

function user(content: string) {
  return { type: "user", message: { role: "user", content } };
}
