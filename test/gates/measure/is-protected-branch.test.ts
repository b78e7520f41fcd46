import fc from "fast-check";
import { expect, it } from "vitest";
import { isProtectedBranch } from "../../../src/gates/judge.ts";
import { casesWithPrograms } from "../../support/cases.ts";
import { git, makeRepo } from "../../support/git-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

it.each([
  { branch: "main", isProtected: true },
  { branch: "master", isProtected: true },
  { branch: "Main", isProtected: false },
  { branch: "main2", isProtected: false },
  { branch: "feature/main", isProtected: false },
  { branch: "main", patterns: [], isProtected: false },
  { branch: "develop", patterns: ["main", "develop"], isProtected: true },
  { branch: "release/1.0", patterns: ["release/*"], isProtected: true },
  { branch: "release/1.0/fix", patterns: ["release/*"], isProtected: true },
  { branch: "release/", patterns: ["release/*"], isProtected: true },
  { branch: "release", patterns: ["release/*"], isProtected: false },
  { branch: "Release/1.0", patterns: ["release/*"], isProtected: false },
  { branch: "my/release/1.0", patterns: ["release/*"], isProtected: false },
  { branch: "v1.0-stable", patterns: ["v*-stable"], isProtected: true },
  { branch: "v-stable", patterns: ["v*-stable"], isProtected: true },
  { branch: "aba", patterns: ["ab*ba"], isProtected: false },
  { branch: "anything/at.all", patterns: ["*"], isProtected: true },
  { branch: "a.b", patterns: ["a?b", "a[.]b", "a.b.", "(a.b)"], isProtected: false },
])("says $isProtected of $branch under $patterns", ({ branch, patterns, isProtected }) => {
  expect(isProtectedBranch(branch, patterns)).toBe(isProtected);
});

it("chooses the branches that git lists for a pattern", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.path, ["first"]);
  const branches = ["ba", "aab", "a/b", "a-b/a", "b/a/b", "ab/ab", "abab", "bbb"];
  for (const name of branches) await git(dir.path, "branch", name);
  const part = fc.constantFrom("a", "b", "*", "/", "-");
  const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      pattern.filter((text) => !text.startsWith("-")),
      async (text) => {
        const listed = await git(dir.path, "branch", "--list", "--format=%(refname:short)", text);
        const chosen = [...branches, "main"].filter((name) => isProtectedBranch(name, [text]));
        expect(new Set(chosen)).toEqual(new Set(listed.split("\n").filter((name) => name !== "")));
      },
    ),
    { numRuns: casesWithPrograms(100) },
  );
});

it("takes no longer than it must for a pattern of many stars", () => {
  expect(isProtectedBranch("a".repeat(200), [`${"*a".repeat(90)}*b`])).toBe(false);
});
