import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** Returns all that a file needs at run time, through the files that it imports. */
function importsOf(path: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ""] of readFileSync(path, "utf8").matchAll(
    /^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)"/gm,
  )) {
    const target = name.startsWith(".") ? join(dirname(path), name) : name;
    if (found.has(target)) continue;
    found.add(target);
    if (name.startsWith(".")) importsOf(target, found);
  }
  return found;
}

it.each(["config/compiled-config", "config/compile-pattern", "gate"])(
  "loads neither YAML nor RE2 for what a hook runs at every call: %s",
  (name) => {
    const packages = [...importsOf(`src/gates/${name}.ts`)].filter((each) => !each.endsWith(".ts"));
    expect(packages.filter((each) => !["node:fs", "node:path"].includes(each))).toEqual([]);
  },
);

it("sees the packages of what loads them", () => {
  expect([...importsOf("src/gates/config/read-gate-config.ts")]).toEqual(
    expect.arrayContaining(["yaml", "re2js"]),
  );
});

it("loads no package for the gates of a session, unless a file or a command asks for one", () => {
  const packages = [...importsOf("src/gates/answer-for-gates.ts")];
  expect(packages.filter((each) => !(each.endsWith(".ts") || each.startsWith("node:")))).toEqual([]);
});
