import { describe, expect, it } from "vitest";
import { renderExchange, renderRemarks, toExchangeJson } from "../../src/cli/share/render-exchange.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import { recordClient } from "../../src/sessions/session.ts";
import type { Exchanged, ExchangeOutcome, ExchangeReport } from "../../src/share/exchange-report.ts";

const change = (type: ExchangeOutcome, more: Partial<Exchanged> = {}): Exchanged => ({
  ...{ type, session: "new" as SessionId, knownAs: "old" as SessionId, entries: 1, client: "claude-code" },
  ...more,
});

const report = (changes: readonly Exchanged[], more: Partial<ExchangeReport> = {}): ExchangeReport => ({
  ...{ sessions: 2, records: 0, entries: 3, scrubbed: 0, changes },
  ...more,
});

const pulled = (type: ExchangeOutcome, more: Partial<Exchanged> = {}) =>
  renderRemarks("Pulled from", report([change(type, more)]));
const pushed = (type: ExchangeOutcome, more: Partial<Exchanged> = {}) =>
  renderRemarks("Pushed to", report([change(type, more)]));

describe("the line about an exchange", () => {
  it("counts each kind of news", () => {
    const changes = (
      ["added", "parted", "extended", "continued", "described", "deleted", "failed"] as const
    ).map((type) => change(type));
    expect(renderExchange("Pushed to", "the store", report(changes))).toBe(
      "Pushed to the store: 3 entries; of 2 sessions 2 new, 2 went on, 1 titled or tagged, 1 deleted.\n",
    );
  });

  it("says that nothing is new, and on which side entries were scrubbed", () => {
    expect(renderExchange("Pulled from", "a", report([]))).toBe(
      "Pulled from a: nothing new in 2 sessions.\n",
    );
    expect(renderExchange("Pulled from", "a", report([], { scrubbed: 1 }))).toBe(
      "Pulled from a: nothing new in 2 sessions. Scrubbed here too: 1 entry.\n",
    );
    expect(renderExchange("Pushed to", "a", report([], { scrubbed: 2 }))).toMatch(/Scrubbed there too: 2/);
  });

  it("does not count what was saved and handed over as sessions", () => {
    const records = [change("added", { client: recordClient })];
    expect(renderExchange("Pushed to", "a", report(records, { entries: 1 }))).toBe(
      "Pushed to a: 1 entry; nothing new in 2 sessions; and what was saved and handed over.\n",
    );
  });
});

describe("a remark about a session", () => {
  it.each<ExchangeOutcome>(["added", "extended", "described", "spared", "withheld"])(
    "is not made when it was %s",
    (type) => {
      expect([pulled(type), pushed(type)]).toEqual(["", ""]);
    },
  );

  it("says of a deletion only where it came from elsewhere", () => {
    expect(pulled("deleted")).toBe("Session new was deleted there, and is deleted here too\n");
    expect(pushed("deleted")).toBe("");
    expect(pulled("deleted", { client: recordClient })).toBe("");
  });

  it("says where each end of a session that went two ways is", () => {
    expect(pulled("parted")).toBe(
      "Session old went two ways; the other one is new here. To join them: carryon merge old new\n",
    );
    expect(pushed("parted")).toMatch(
      /^Session old went two ways; this one is new there\. After `carryon pull`/,
    );
  });

  it("names the session as it was and as it is", () => {
    expect(pushed("continued")).toBe("Session old went on elsewhere, and is new there now\n");
    expect(pulled("continued", { was: "first" as SessionId })).toBe(
      "Session first went on elsewhere, and is new here now\n",
    );
    expect(pulled("renamed")).toBe("Another session is called old here, so that this one is new\n");
    expect(pushed("returned")).toBe(
      "Session old was deleted there, and went on here since: it is kept as new\n",
    );
    expect(pulled("held", { reason: "process 7 writes it" })).toBe(
      "Session new is left as it is here: process 7 writes it\n",
    );
    expect(pulled("failed", { reason: "it is damaged" })).toBe(
      "Session new was not brought: it is damaged\n",
    );
  });

  it("says what stays although it was deleted elsewhere", () => {
    expect(pulled("kept")).toBe("Session old was deleted there, and went on here since: new stays\n");
    expect(pulled("kept", { deletedAt: new Date(0) })).toBe("");
    expect(pushed("kept", { deletedAt: new Date(0) })).toMatch(/^Session old was deleted here/);
    expect(pulled("gone")).toBe("Session old was deleted here, and stays there until the next push\n");
    expect(pushed("gone")).toBe("Session old was deleted there, and stays here until the next pull\n");
  });

  it("is one of twenty at most, with the number of the others", () => {
    const remarks = renderRemarks("Pulled from", report(Array.from({ length: 23 }, () => change("renamed"))));
    expect(remarks.split("\n")).toHaveLength(22);
    expect(remarks).toMatch(/… and 3 more; --json lists all\.\n$/);
  });
});

describe("an exchange in JSON", () => {
  it("has every field of a change, null where there is nothing to say", () => {
    const deletedAt = new Date(0);
    const { changes } = toExchangeJson(
      report([change("added"), change("kept", { deletedAt, was: "first" as SessionId })]),
    );
    expect(changes.map(({ was, reason, deletedAt: at }) => ({ was, reason, at }))).toEqual([
      { was: null, reason: null, at: null },
      { was: "first", reason: null, at: "1970-01-01T00:00:00.000Z" },
    ]);
  });
});
