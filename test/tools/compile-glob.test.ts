import { describe, expect, it } from "vitest";
import { compileGlob } from "../../src/tools/search/compile-glob.ts";

const paths = [
  "a.ts",
  "b.tsx",
  "src/a.ts",
  "src/lib/c.ts",
  "src/lib/.env",
  "docs/a.md",
  "a+b(1).md",
  "src/[id].ts",
];

describe("a glob", () => {
  it.each([
    { glob: "*.ts", names: ["a.ts", "src/a.ts", "src/lib/c.ts", "src/[id].ts"] },
    { glob: "*.{ts,tsx}", names: ["a.ts", "b.tsx", "src/a.ts", "src/lib/c.ts", "src/[id].ts"] },
    { glob: "*.{md,{ts,js}x}", names: ["b.tsx", "docs/a.md", "a+b(1).md"] },
    { glob: "?.ts", names: ["a.ts", "src/a.ts", "src/lib/c.ts"] },
    { glob: "[!b].ts*", names: ["a.ts", "src/a.ts", "src/lib/c.ts"] },
    { glob: "[a-b].ts*", names: ["a.ts", "b.tsx", "src/a.ts"] },
    { glob: "/a.ts", names: ["a.ts", "src/a.ts"] },
    { glob: "./src/*.ts", names: ["src/a.ts", "src/[id].ts"] },
    { glob: "src/**", names: ["src/a.ts", "src/lib/c.ts", "src/lib/.env", "src/[id].ts"] },
    { glob: "**/*.md", names: ["docs/a.md", "a+b(1).md"] },
    { glob: "src/**/c.ts", names: ["src/lib/c.ts"] },
    { glob: "**/lib/**", names: ["src/lib/c.ts", "src/lib/.env"] },
    { glob: "a+b(1).md", names: ["a+b(1).md"] },
    { glob: "\\[id\\].ts", names: ["src/[id].ts"] },
    { glob: "a,b", names: [] },
    { glob: "!src/**", names: ["a.ts", "b.tsx", "docs/a.md", "a+b(1).md"] },
    { glob: ".*", names: ["src/lib/.env"] },
  ])("$glob names files", ({ glob, names }) => {
    expect(paths.filter(compileGlob(glob))).toEqual(names);
  });

  it("is compared from the folder that is searched, too", () => {
    expect(paths.filter(compileGlob("lib/*", "src"))).toEqual(["src/lib/c.ts", "src/lib/.env"]);
    expect(["src/a.ts", "src/lib/c.ts"].filter(compileGlob("!lib/*", "src"))).toEqual(["src/a.ts"]);
  });
});
