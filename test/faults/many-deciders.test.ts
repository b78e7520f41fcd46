import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { inspectDecisions } from "../../src/handover/decisions/inspect-decisions.ts";
import { parseDecisions } from "../../src/handover/decisions/parse-decisions.ts";
import { locateHandover } from "../../src/handover/handover-folder.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { changesIn } from "../support/changes-in.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const decide = (summary: string) => [
  ...["decide", "user-decision", summary, "--context", "many", "--decision", summary],
  ...["--reason", "to see", "--impact", "none"],
];
const pathIn = (carryon: Carryon) =>
  locateHandover({ root: join(carryon.folder, "work"), sddDir: ".claude/sdd" }).decisions;

/** Compares the document with what the log knows of it. */
async function inspect(carryon: Carryon) {
  const given = { cwd: join(carryon.folder, "work"), home: join(carryon.folder, "home"), store: undefined };
  await using here = await openProject(given, "write");
  const { store, project, root } = here;
  const site = { log: store.log, project, root, machine: "here", clock: systemClock, random: systemRandom };
  return changesIn(await inspectDecisions(site, await readFile(pathIn(carryon))));
}

const fine = { isIntact: true, altered: [], missing: [], repeated: [], conflicts: [] };

describe("many processes that decide", () => {
  // Seed 0: 5.7
  it("at once get consecutive numbers, and the log knows them all", async () => {
    await using carryon = await openCarryon();
    const children = Array.from({ length: 32 }, (_, index) => carryon.start(decide(`from ${index}`)));
    const answers = await Promise.all(
      children.map(async (child) => {
        const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
        return child.exitCode === 0 ? out : `${child.exitCode}: ${err}`;
      }),
    );
    const expected = Array.from({ length: 32 }, (_, index) => `D${index + 1}\n`);
    expect(answers.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))).toEqual(
      expected,
    );
    expect(await inspect(carryon)).toEqual(fine);
  });

  // Seed 0: 4.7
  it("and are killed at any moment lose nothing that was acknowledged, and shorten nothing", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(decide("first"));
    const acknowledged = ["first"];
    let before = await readFile(pathIn(carryon));
    for (let round = 0; round < 6; round += 1) {
      const children = Array.from({ length: 4 }, (_, index) => {
        const summary = `round ${round}, ${index}`;
        const child = carryon.start(decide(summary));
        const answer = text(child.stdout).then((out) => {
          if (/^D\d+\n$/.test(out)) acknowledged.push(summary);
        });
        return { child, ended: Promise.all([answer, once(child, "close")]) };
      });
      // Until one is done, the others are somewhere on their way.
      await Promise.race(children.map(({ ended }) => ended));
      for (const { child } of children) child.kill("SIGKILL");
      await Promise.all(children.map(({ ended }) => ended));
      const after = await readFile(pathIn(carryon));
      expect(after.subarray(0, before.byteLength).equals(before)).toBe(true);
      before = after;
      expect(await inspect(carryon)).toEqual(fine);
    }
    expect(await carryon.ask(decide("last"))).toMatch(/^D\d+\n$/);
    expect(await inspect(carryon)).toEqual(fine);
    const { decisions, problems } = parseDecisions(await readFile(pathIn(carryon), "utf8"));
    expect(problems).toEqual([]);
    expect(decisions.map(({ seq }) => seq)).toEqual(decisions.map((_, index) => index + 1));
    const found = decisions.map(({ summary }) => summary);
    expect(acknowledged.filter((summary) => !found.includes(summary))).toEqual([]);
  });
});
