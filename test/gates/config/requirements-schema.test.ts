import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { knownKeys } from "../../../src/gates/config/report.ts";
import { presets, renderPreset } from "../../../src/gates/render-preset.ts";
import { readTexts } from "../../support/gate-texts.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0] & object;

const schema = JSON.parse(readFileSync("docs/formats/schemas/requirements.schema.json", "utf8"));
const reader = z.fromJSONSchema(schema as Schema);

const isAllowed = (value: unknown) => reader.safeParse(value).success;
/** Which tools there are is not for a schema to know. */
const ofTools = /names a tool .* not known to have/;
const isRead = (value: unknown) =>
  readTexts({ project: stringify(value) }).problems.every(({ problem }) => ofTools.test(problem));
const inRequirement = (settings: object) => ({ requirements: { a: settings } });

describe("the schema of requirements.yaml", () => {
  const hooks = schema.properties.hooks.properties;
  const requirement = schema.$defs.requirement.properties;
  const maps: Readonly<Record<keyof typeof knownKeys, Readonly<Record<string, { readonly $ref?: string }>>>> =
    {
      file: schema.properties,
      requirement,
      trigger: schema.$defs.trigger.anyOf[1].properties,
      thresholds: requirement.thresholds.properties,
      auto_satisfy: requirement.auto_satisfy.anyOf[0].properties,
      hooks,
      session_start: hooks.session_start.properties,
      carry_over: hooks.session_start.properties.carry_over.properties,
      stop: hooks.stop.properties,
      session_end: hooks.session_end.properties,
    };

  it.each(Object.keys(maps) as (keyof typeof maps)[])("knows just the settings that are read: %s", (kind) => {
    const unused = Object.entries(maps[kind]).filter(([, { $ref }]) => $ref === "#/$defs/unused");
    const names = (of: readonly string[]) => [...of].sort();
    expect(names(unused.map(([name]) => name))).toEqual(names(knownKeys[kind].unused));
    expect(names(Object.keys(maps[kind]))).toEqual(
      names([...knownKeys[kind].used, ...knownKeys[kind].unused]),
    );
  });

  it("says of each setting what it is", () => {
    const silent = Object.values(maps).flatMap((map) =>
      Object.entries(map).filter(([, each]) => !/"(description|\$ref)"/.test(JSON.stringify(each))),
    );
    expect(silent).toEqual([]);
  });

  it.each([
    ...presets.map(renderPreset),
    ...["user", "project"].map((name) => readFileSync(`test/fixtures/gates/framework-${name}.yaml`, "utf8")),
  ])("allows what is read without a problem", (text) => {
    expect([reader.safeParse(parse(text)).error?.issues, isRead(parse(text))]).toEqual([undefined, true]);
  });

  /** Values for each setting, by what it needs. */
  const values = [
    null,
    true,
    false,
    0,
    1,
    1.5,
    -1,
    "",
    " ",
    "x",
    "true",
    "30s",
    "5m",
    "7d",
    "3650d",
    "3651d",
    "9999d",
    "1w",
    "999999",
    "1e3",
    400,
    315_360_000,
    315_360_001,
    "session",
    "branch",
    ["session", "branch"],
    ["session", "x"],
    "clear",
    ["startup", "fork"],
    "check",
    "blocking",
    "guard",
    "single_session",
    "branch_size",
    "branch_size_calculator",
    [],
    ["x"],
    ["x", 1],
    [""],
    [null],
    {},
    { x: 1 },
    { tool: "Bash" },
    [{ tool: "Bash" }, "Edit"],
    [{ tool: "Bash", command_pattern: "git\\s+push" }],
    [{ command_pattern: "x" }],
    { tool: 1 },
    { tool: "" },
    { tool: "x", other: 1 },
    { tool: "x", command_pattern: null },
    { tool: "x", command_pattern: 5 },
    { tool: "x", command_pattern: "x".repeat(1001) },
    { warn: 1 },
    { warn: 1, block: 2 },
    { block: "2" },
    { blok: 1 },
    { on_skill_complete: "x" },
    { on_skill_complete: [1] },
    { on_other: "x" },
    "1.0",
    "2.0",
    2,
    "abc",
  ];

  const places: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ...knownKeys.file.used.map((key) => [key, (value: unknown) => ({ [key]: value })] as const),
    ...knownKeys.requirement.used.map(
      (key) =>
        [
          `requirements.a.${key}`,
          // Each value is read only in a requirement of the type that needs it.
          (value: unknown) => inRequirement({ ...typeFor(key), [key]: value }),
        ] as const,
    ),
    ...knownKeys.hooks.used.map(
      (key) => [`hooks.${key}`, (value: unknown) => ({ hooks: { [key]: value } })] as const,
    ),
    ...knownKeys.session_start.used.map(
      (key) =>
        [
          `hooks.session_start.${key}`,
          (value: unknown) => ({ hooks: { session_start: { [key]: value } } }),
        ] as const,
    ),
    ...knownKeys.carry_over.used.map(
      (key) =>
        [
          `carry_over.${key}`,
          (value: unknown) => ({ hooks: { session_start: { carry_over: { [key]: value } } } }),
        ] as const,
    ),
    ...knownKeys.stop.used.map(
      (key) => [`hooks.stop.${key}`, (value: unknown) => ({ hooks: { stop: { [key]: value } } })] as const,
    ),
    ...knownKeys.session_end.used.map(
      (key) =>
        [
          `hooks.session_end.${key}`,
          (value: unknown) => ({ hooks: { session_end: { [key]: value } } }),
        ] as const,
    ),
    ["a setting that there is not", (value: unknown) => ({ nonsense: value })],
    ["one in a requirement", (value: unknown) => inRequirement({ nonsense: value })],
    ["one under hooks", (value: unknown) => ({ hooks: { nonsense: value } })],
    ["something for anchors", (value: unknown) => ({ "x-shared": value, ".shared": value })],
    ["a file", (value: unknown) => value],
    ["a requirement", (value: unknown) => ({ requirements: { a: value } })],
    [
      "a setting of others",
      (value: unknown) => ({ logging: value, hooks: { qdrant: value }, requirements: { a: { ttl: value } } }),
    ],
  ];

  it.each(places)("allows and refuses what is read and told: %s", (_name, put) => {
    const disagreed = values.map(put).filter((value) => isAllowed(value) !== isRead(value));
    expect(disagreed.map((value) => JSON.stringify(value))).toEqual([]);
  });

  it.each([
    inRequirement({ type: "dynamic" }),
    inRequirement({ type: "dynamic", thresholds: { warn: 2, block: 1 } }),
    inRequirement({ trigger_tools: [{ tool: "Bash", command_pattern: "(?=x)" }] }),
    inRequirement({ trigger_tools: [{ tool: "Edit", command_pattern: "x" }] }),
    { requirements: { "a\u001bb": {} } },
  ])("leaves to the reader what takes more than one file or a parser to tell: %j", (value) => {
    expect([isAllowed(value), isRead(value)]).toEqual([true, false]);
  });
});

function typeFor(key: string): object {
  if (key === "thresholds") return { type: "dynamic", threshold: 1_000_000_000 };
  if (["calculator", "threshold", "approval_ttl", "cache_ttl", "calculation_cache_ttl"].includes(key))
    return { type: "dynamic", thresholds: { warn: 0 } };
  return ["guard_type", "protected_branches", "branches"].includes(key) ? { type: "guard" } : {};
}

describe("the page about requirements.yaml", () => {
  const page = readFileSync("docs/formats/requirements.md", "utf8");
  const kinds = Object.values(knownKeys);

  it("names every setting", () => {
    const names = kinds.flatMap(({ used, unused }) => [...used, ...unused]);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });

  it("shows examples that are read without a problem or a note", () => {
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
    expect(
      examples.map((text) => readTexts({ project: text })).map(({ problems, notes }) => [problems, notes]),
    ).toEqual([
      [[], []],
      [[], []],
    ]);
  });

  it("gives the defaults of the schema", () => {
    const rows = new Map(
      [...page.matchAll(/^\| `([\w.]+)` \| `([^`]+)` \|/gm)].map(([, key = "", value = ""]) => [key, value]),
    );
    const of = (map: object, prefix = "") =>
      Object.entries(map).flatMap(([key, { default: usual }]) =>
        usual === undefined ? [] : [[`${prefix}${key}`, usual] as const],
      );
    const hooks = schema.properties.hooks.properties;
    const defaults = [
      ...of(schema.properties),
      ...of(schema.$defs.requirement.properties),
      ...of(hooks.session_start.properties, "session_start."),
      ...of(hooks.session_start.properties.carry_over.properties, "session_start.carry_over."),
      ...of(hooks.session_end.properties, "session_end."),
    ];
    // `enabled` stands twice: at the top it is on, in a requirement off.
    const others = defaults.filter(([key]) => key !== "enabled");
    expect(others.length).toBeGreaterThan(12);
    expect(others.map(([key]) => [key, parse(rows.get(key) ?? "")])).toEqual(others);
  });
});
