import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseRequirements } from "../../../src/gates/config/parse-requirements.ts";
import { mergeLayers } from "../../../src/gates/config/to-gate-config.ts";
import type { Located } from "../../../src/gates/config/to-located.ts";
import { readTexts } from "../../support/gate-texts.ts";

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

function toPlain(value: Located): Plain {
  if (value.type === "scalar") return value.value;
  if (value.type === "list") return value.items.map(toPlain);
  return Object.fromEntries([...value.entries].map(([key, each]) => [key, toPlain(each)]));
}

const isMap = (value: Plain | undefined): value is { readonly [key: string]: Plain } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the rule says, on plain values. */
function mergePlain(base: Plain | undefined, over: Plain): Plain {
  if (!isMap(base)) return over;
  if (!isMap(over)) return over ?? base;
  const merged = Object.entries(over).map(([key, value]) => [key, mergePlain(base[key], value)] as const);
  return { ...base, ...Object.fromEntries(merged) };
}

const key = fc.constantFrom("a", "b", "requirements", "enabled");
const { tree } = fc.letrec<{ tree: Plain }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 1, "x"),
    fc.array(tie("tree"), { maxLength: 2 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const file = fc.dictionary(key, tree, { maxKeys: 4, noNullPrototype: true });
const inherits = fc.constantFrom(undefined, true, false);

describe("the merging of files", () => {
  it("is that of maps, the later over the earlier, and without the user's if the project says so", () => {
    fc.assert(
      fc.property(file, file, file, inherits, (user, project, local, inherit) => {
        const said = { ...project, ...(inherit !== undefined && { inherit }) };
        const layer = (value: Plain) => parseRequirements(stringify(value), "f");
        const merged = mergeLayers({ user: layer(user), project: layer(said), local: layer(local) });
        const expected = [inherit === false ? {} : user, said, local].reduce<Plain>(mergePlain, {});
        expect(toPlain(merged.root)).toEqual(expected);
      }),
    );
  });

  it("says of each value in which file it stands", () => {
    const { problems } = readTexts({
      user: "requirements:\n  a:\n    scope: x\n  b:\n    scope: y\n",
      project: "requirements:\n  a:\n    enabled: true\n  b:\n\n\n    scope: z\n",
      local: "# mine\nnonsense: 1\n",
    });
    expect(problems.map(({ file: where, line }) => [where, line])).toEqual([
      ["local", 2],
      ["user", 3],
      ["project", 7],
    ]);
  });

  it("takes over a requirement of the user that a project turns on, and one of the project that a person turns off", () => {
    const { config } = readTexts({
      user: "requirements: {a: {scope: branch, checklist: [one, two]}, b: {enabled: true}}",
      project: "requirements: {a: {enabled: true, checklist: [three]}, c: {enabled: true}}",
      local: "requirements: {c: {enabled: false}}",
    });
    expect(
      config.gates.map(({ name, enabled, scope, checklist }) => [name, enabled, scope, checklist]),
    ).toEqual([
      ["a", true, "branch", ["three"]],
      ["b", true, "session", []],
      ["c", false, "session", []],
    ]);
  });

  it.each([
    { inherit: "false", names: ["b", "c"] },
    { inherit: "no", names: ["b", "c"] },
    { inherit: "true", names: ["a", "b", "c"] },
  ])("leaves the user's file out if the project does not inherit: $inherit", ({ inherit, names }) => {
    const { config, problems } = readTexts({
      user: "requirements: {a: {}}\nenabled: false\n",
      project: `inherit: ${inherit}\nrequirements: {b: {}}\n`,
      local: "inherit: false\nrequirements: {c: {}}\n",
    });
    expect({ names: config.gates.map(({ name }) => name), problems }).toEqual({ names, problems: [] });
  });

  it("does without a user's file that cannot be read if the project does not inherit", () => {
    const project = "inherit: false\nrequirements: {a: {enabled: true}}\n";
    expect(readTexts({ user: "[", project })).toEqual(readTexts({ project }));
  });

  it.each(["user", "project", "local"])("turns all gates off when one file cannot be read: %s", (broken) => {
    const texts = {
      user: "requirements: {a: {}}",
      project: "requirements: {b: {}}",
      local: "{}",
      [broken]: "[",
    };
    expect(readTexts(texts)).toMatchObject({
      config: { enabled: false, gates: [] },
      problems: [{ file: broken, line: 1 }],
    });
  });

  it("takes away what a later file leaves empty, but for a map", () => {
    const { config } = readTexts({
      user: "requirements: {a: {message: x, scope: branch}}",
      project: "requirements:\n  a:\n    message:\n",
      local: "requirements:\n  a:\nhooks:\n",
    });
    expect(config.gates).toEqual([expect.not.objectContaining({ message: "x" })]);
    expect(config.gates).toMatchObject([{ name: "a", scope: "branch" }]);
  });
});
