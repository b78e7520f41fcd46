import { expect, it } from "vitest";
import { renderStatus } from "../../src/cli/render-status.ts";
import { listedAt, listedSession } from "../support/listed-session.ts";
import { testContext } from "../support/test-context.ts";

it.each([
  { status: "interrupted", does: "go on where it was cut off, in Claude Code" },
  { status: "ended", does: "go on with it, in Claude Code" },
] as const)("says how to go on in a session that is $status", ({ status, does }) => {
  const sessions = [listedSession({ status })];
  const place = { name: "shop", root: "/shop", branch: "main", store: { path: "/store.db", exists: true } };
  const context = testContext("/shop", { columns: 80, clock: { now: () => listedAt } });
  const nothing = {
    commit: undefined,
    state: undefined,
    isOwn: true,
    blocker: null,
    next: undefined,
    problem: undefined,
    handover: undefined,
  };
  const work = { ...nothing, now: listedAt };
  const shown = renderStatus(
    {
      ...place,
      sessions,
      shortId: (id) => id,
      hasOthers: false,
      isSetUp: true,
      work,
      waiting: [],
      gates: undefined,
    },
    context,
  );
  expect(shown.split("\n").find((line) => line.includes("resume"))).toBe(`  carryon resume latest  ${does}`);
});
