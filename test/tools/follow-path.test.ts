import { realpath } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followPath } from "../../src/tools/confine/place.ts";
import { cases } from "../support/cases.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeTrap, trapLinks } from "../support/trap.ts";

describe("a path that is followed", () => {
  it("leads where the system says, wherever the system says something", async () => {
    await using dir = await tempDir();
    const { work, out } = await makeTrap(dir);
    const names = [
      ...Object.keys(trapLinks),
      "absolute",
      "a",
      "b",
      "c",
      "file",
      "out",
      "work",
      "secret",
      "..",
      ".",
      "",
    ];
    const start = fc.constantFrom(
      "",
      "./",
      `${work}/`,
      `${out}/`,
      `//${work}/`,
      "/proc/self/cwd/",
      `/proc/self/root${work}/`,
    );
    const path = fc
      .tuple(start, fc.array(fc.constantFrom(...names), { maxLength: 6 }))
      .map(([first, rest]) => first + rest.join("/"));
    await fc.assert(
      fc.asyncProperty(path, async (given) => {
        const said = await realpath(given.startsWith("/") ? given : `${work}/${given}`).catch(
          () => undefined,
        );
        fc.pre(said !== undefined);
        const { path: found, stats } = await followPath(work, given);
        expect({ found, isThere: stats !== undefined }).toEqual({ found: said, isThere: true });
      }),
      { numRuns: cases(300), maxSkipsPerRun: 1000 },
    );
  });

  it.each([
    { path: "a/new", leads: "a/new" },
    { path: "new/deep/er", leads: "new/deep/er" },
    { path: "new/../other", leads: "other" },
    { path: "dangling-in", leads: "a/made" },
    { path: "dangling-in/more", leads: "a/made/more" },
    { path: "in-link/b/new", leads: "a/b/new" },
  ])("leads where $path would be made", async ({ path, leads }) => {
    await using dir = await tempDir();
    const { work } = await makeTrap(dir);
    expect(await followPath(work, path)).toEqual({ path: `${work}/${leads}`, stats: undefined });
  });
});
