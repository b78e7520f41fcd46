import { describe, expect, it } from "vitest";
import { one } from "../support/hooked-project.ts";
import { openLead } from "../support/seed-lead.ts";

describe("errors", () => {
  // Seed 0: E.1
  it("E1, E2, E3: a first session finds no document, waits for the user, and makes decisions.md", async () => {
    await using lead = await openLead();
    expect(await lead.begin(one)).toContain("There is no session.md: wait for the user's instruction.");
    expect(await lead.names("handover")).toEqual(["decisions.md"]);
    expect(await lead.decisions()).toEqual(["D1: SESSION_START | Session started"]);
    await lead.carryon(["note", "x"]);
    expect(await lead.names("handover")).toEqual(["buffer.md", "decisions.md"]);
  });

  it("E2: without decisions.md, SESSION_END is the first entry", async () => {
    await using lead = await openLead();
    await lead.carryon(["handover", "--no-ask"]);
    expect(await lead.decisions()).toEqual(["D1: SESSION_END | Session handed over"]);
  });

  it("E4, E5: without git and without specs the rest is handed over", async () => {
    await using lead = await openLead({ inGit: false });
    const { code } = await lead.carryon(["handover", "--no-ask", "--next", "Review it"]);
    const session = await lead.read("session.md");
    expect(code).toBe(0);
    expect(session).toContain("\nReview it\n");
    expect(session).not.toContain("**Branch**");
  });

  it("E6: archives of one day are counted on", async () => {
    await using lead = await openLead();
    for (const tone of ["a", "b", "c", "d"]) await lead.carryon(["handover", "--no-ask", "--tone", tone]);
    const names = await lead.names("handover/sessions");
    const day = names[0]?.slice(0, "2040-01-01".length);
    expect(names).toEqual([`${day}-2.md`, `${day}-3.md`, `${day}.md`]);
    expect(await lead.read(`sessions/${day}.md`)).toContain("\n### Tone and Nuance\na\n");
  });
});
