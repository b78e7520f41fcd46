import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stateFiles } from "../../../src/gates/read-gate-state.ts";
import { candidateNames, findFile } from "../../../src/gates/state/file-content.ts";
import { gitEnv } from "../../support/git-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

const hashOf = (text: string, length = 8) => createHash("sha256").update(text).digest("hex").slice(0, length);

describe("the file of a branch", () => {
  // Seed 2: 10.1
  it.each([
    { branch: "feature/test", name: "feature-test.json" },
    { branch: "main", name: "main.json" },
    { branch: "a\\b", name: "a-b.json" },
    { branch: "v1.2/ü #1", name: "v1_2-___1.json" },
    { branch: "../../etc/passwd", name: "__-__-etc-passwd.json" },
    { branch: "x".repeat(100), name: `${"x".repeat(100)}.json` },
    { branch: "x".repeat(101), name: `${"x".repeat(100)}-${hashOf("x".repeat(101))}.json` },
  ])("names the file of $branch", ({ branch, name }) => {
    expect(candidateNames(branch).next().value).toBe(name);
  });

  const hashed = `feature-auth-${hashOf("feature/auth")}.json`;
  const longer = `feature-auth-${hashOf("feature/auth", 16)}.json`;

  it.each([
    { case: "gives way to another branch", taken: { "feature-auth.json": "feature-auth" }, name: hashed },
    {
      case: "gives way to one that differs in case",
      taken: { "feature-auth.json": "Feature/Auth" },
      name: hashed,
    },
    {
      case: "keeps the plain name",
      taken: { "feature-auth.json": "feature/auth" },
      name: "feature-auth.json",
    },
    { case: "keeps the hashed name for good", taken: { [hashed]: "feature/auth" }, name: hashed },
    {
      case: "takes more of the hash beside an equal one",
      taken: { "feature-auth.json": "a", [hashed]: "b" },
      name: longer,
    },
  ])("$case", async ({ taken, name }) => {
    await using dir = await tempDir();
    const folder = dir.join("requirements");
    await mkdir(folder);
    for (const [file, branch] of Object.entries(taken))
      await writeFile(dir.join("requirements", file), JSON.stringify({ branch }));
    expect(basename(findFile(stateFiles({ folder }), "feature/auth").path)).toBe(name);
  });
});

/** Parts that git allows between the slashes of a branch. */
const parts = fc
  .string({
    unit: fc.oneof(fc.constantFrom(..."aAbB_-.é#%$&+=,;!'\"()日ẞ"), fc.string({ unit: "grapheme" })),
    maxLength: 12,
  })
  .filter((part) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids them
    const forbidden = /[\x00-\x20\x7f~^:?*[\\/]|\.\.|@\{/;
    const isBad = forbidden.test(part) || /^\.|\.$|\.lock$|^-/.test(part) || !part.isWellFormed();
    return part !== "" && part !== "@" && part !== "HEAD" && !isBad;
  });

/** Names that git allows, many of which differ in nothing but case or a separator. */
function makeBranches(count: number): readonly string[] {
  const sample = fc.sample(parts, { numRuns: 1000, seed: 7 });
  const joins = ["/", "-", "_", "#", "/x"];
  const branches = new Set<string>();
  for (let index = 0; branches.size < count; index += 1) {
    const [one = "a", other = "b"] = [sample[index % 1000], sample[Math.floor(index / 1000) % 1000]];
    const more = index % 7 === 0 ? `/${"y".repeat(95)}` : "";
    const name = `${one}${joins[index % joins.length]}${other}${more}`;
    branches.add(index % 3 === 0 ? name.toUpperCase().replaceAll(".LOCK", "L") : name);
  }
  return [...branches];
}

describe("10,000 branches", () => {
  const branches = makeBranches(10_000);

  it("get names that differ not only in case, inside of the folder", () => {
    const taken = new Set<string>();
    for (const branch of branches) {
      const names = [...candidateNames(branch)].map((name) => name.toLowerCase());
      taken.add(names.find((name) => !taken.has(name)) ?? "");
    }
    expect(taken.size).toBe(branches.length);
    expect([...taken].filter((name) => !/^[a-z0-9_-]{1,165}\.json$/.test(name))).toEqual([]);
  });

  it("are names that git allows", async () => {
    const sample = branches.filter((_, index) => index % 250 === 0);
    expect(sample).toHaveLength(40);
    const check = async (branch: string) => {
      const asked = promisify(execFile)("git", ["check-ref-format", "--branch", branch], { env: gitEnv });
      return asked.then(
        () => true,
        () => false,
      );
    };
    const refused: string[] = [];
    for (const branch of sample) if (!(await check(branch))) refused.push(branch);
    expect(refused).toEqual([]);
  });
});
