import { expect, it } from "vitest";
import { renderStatus } from "../../src/cli/render-status.ts";
import { startDigest } from "../../src/digest/digest.ts";
import { followEntries } from "../../src/digest/follow-entries.ts";
import { groupSessions, type Workstream } from "../../src/memory/workstreams.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import type { Session } from "../../src/sessions/session.ts";
import { Story } from "../digest/entries.ts";
import { listedAt, listedSession } from "../support/listed-session.ts";
import { testContext } from "../support/test-context.ts";

const place = { name: "shop", root: "/shop", branch: "main", store: { path: "/store.db", exists: true } };
const nothing = {
  commit: undefined,
  state: undefined,
  inHand: undefined,
  isOwn: true,
  blocker: null,
  next: undefined,
  problem: undefined,
  handover: undefined,
};

function render(sessions: readonly Session[], workstreams: readonly Workstream[] = []): readonly string[] {
  const context = testContext("/shop", { columns: 80, clock: { now: () => listedAt } });
  const work = { ...nothing, now: listedAt };
  const listed = { sessions, workstreams, elsewhere: new Set<string>(), shortId: (id: string) => id };
  const known = { ...place, ...listed, hasOthers: false, isSetUp: true };
  return renderStatus({ ...known, work, waiting: [], deletions: [], gates: undefined }, context).split("\n");
}

it.each([
  { status: "interrupted", does: "go on where it was cut off, in Claude Code" },
  { status: "ended", does: "go on with it, in Claude Code" },
] as const)("says how to go on in a session that is $status", ({ status, does }) => {
  const shown = render([listedSession({ status })]);
  expect(shown.find((line) => line.includes("resume"))).toBe(`  carryon resume latest  ${does}`);
});

it("names the branch of open work that is on another one", () => {
  const story = new Story().asks("Add search").edits("src/search.ts").says("It finds words.");
  const sessions = ["search", "main"].map((branch) =>
    listedSession({
      id: parseSessionId(`on-${branch}`),
      branch,
      client: "carryon-chat",
      updatedAt: listedAt,
    }),
  );
  const digest = followEntries(startDigest("/work/shop"), story.entries);
  const workstreams = groupSessions(sessions, new Map(sessions.map(({ id }) => [id, digest])));
  const shown = render(sessions, workstreams);
  expect(shown.slice(0, 8)).toEqual([
    "Open work:",
    "  Fix the login (interrupted on search, just now)",
    "    Review the edited file and commit.",
    "    carryon chat --session on-search",
    "  Fix the login (interrupted, just now)",
    "    Review the edited file and commit.",
    "    carryon chat --session on-main",
    "  `carryon digest ID --done` takes work off this list.",
  ]);
});

it("calls live what a client or a process writes, and no fork that nobody has gone on in", () => {
  const open = (id: string, more: Partial<Session>) =>
    listedSession({ id: parseSessionId(id), status: "open", clientSessionId: null, ...more });
  const writer: Session["writer"] = { pid: 7, host: "m", program: "carryon append" } as never;
  const shown = render([
    open("fork", {}),
    open("written", { writer }),
    open("client", { clientSessionId: "x" }),
    listedSession({ id: parseSessionId("over"), status: "ended" }),
  ]);
  expect(shown.filter((line) => line.startsWith("Live"))).toEqual(["Live     2 sessions: written, client"]);
});
