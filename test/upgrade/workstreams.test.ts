import { expect, it } from "vitest";
import { openUpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

interface Answer {
  readonly workstreams: readonly { readonly session: string }[];
  readonly sessions: readonly { readonly id: string }[];
  readonly goal: string;
  readonly next: string | null;
}

it("in a home that 0.1.0 made, status and digest know the work, and a person can correct them", async () => {
  await using old = await openUpgradeFixture("0.1.0");
  const ask = async (...args: readonly string[]) => (await old.answer([...args, "--json"])) as Answer;
  const { workstreams } = await ask("status");
  expect(workstreams).toMatchObject([
    { goal: "Polish the brass of the lantern", status: "interrupted" },
    // It ends with a question to the user.
    { goal: "Which lamps do we sell?", status: "waiting" },
    { goal: "ask a helper", status: "open" },
    { goal: "Count the gulls on the quay", status: "interrupted" },
  ]);
  const goals = [];
  for (const { id } of (await ask("sessions")).sessions) goals.push((await ask("digest", id)).goal);
  expect(new Set(goals)).toEqual(
    new Set([
      "Polish the brass of the lantern",
      // A run talks on strands of its own.
      "",
      "Who lights the lamp?",
      "Which lamps do we sell?",
      "Whale oil or paraffin?",
      "ask a helper",
      "Count the gulls on the quay",
      "Hello RUNTOOL please",
    ]),
  );
  const id = workstreams[2]?.session ?? "";
  await ask("digest", id, "--wrong", "ask a helper");
  expect((await ask("digest", id)).goal).not.toBe("ask a helper");
  await ask("digest", id, "--right", "ask a helper");
  expect((await ask("digest", id)).goal).toBe("ask a helper");
  await ask("digest", id, "--done");
  expect((await ask("status")).workstreams.map(({ session }) => session)).not.toContain(id);
  expect((await old.call(["verify"])).code).toBe(0);
});
