import { globSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeRepo } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0] & object;
type Schemas = Readonly<Record<string, JsonSchema>>;
type Answers = Readonly<Record<string, unknown>>;

const schemas: Schemas = Object.fromEntries(
  globSync("docs/formats/schemas/*.json").map((path) => [
    basename(path, ".json"),
    JSON.parse(readFileSync(path, "utf8")),
  ]),
);

/** Returns what reads the values that a schema describes. */
function readerOf(schema: JsonSchema | undefined): z.ZodType {
  if (schema === undefined) throw new Error("There is no such schema.");
  return z.fromJSONSchema(schema);
}

const findFaults = (reader: z.ZodType, value: unknown) => reader.safeParse(value).error?.issues ?? [];

/** Returns a schema that allows only the fields that it names. */
function close(schema: unknown): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (_key, value) =>
      typeof value === "object" &&
      value !== null &&
      "properties" in value &&
      !("additionalProperties" in value)
        ? { ...value, additionalProperties: false }
        : value,
    ),
  );
}

const fields = ["--context", "c", "--decision", "d", "--reason", "r", "--impact", "i"];
const origin = ["--spec", "login", "--role", "Builder", "--task", "2"];
const spec = "feature_name: login\nphase: initialized\nroadmap:\n  wave: 1\n  dependencies: []\n";

/** Runs every command that has a schema, where it has something to say, and returns the answers by their schemas. */
async function collectAnswers(): Promise<Answers> {
  await using carryon = await openCarryon();
  const ask = async (...args: readonly string[]) => JSON.parse(await carryon.ask([...args, "--json"]));
  const inSdd = (...names: readonly string[]) => join(carryon.folder, "work", ".claude", "sdd", ...names);
  await makeRepo(join(carryon.folder, "work"), ["first"]);
  await mkdir(inSdd("project", "specs", "login"), { recursive: true });
  await mkdir(inSdd("project", "steering"));
  await writeFile(inSdd("project", "specs", "login", "spec.yaml"), spec);
  const call = { type: "tool-call", call: "1", name: "Bash", input: { command: "npm test" } };
  const result = { type: "tool-result", call: "1", output: "1 failed", failed: true };
  await carryon.ask(
    ["append"],
    [
      { kind: "message", role: "assistant", parts: [call] },
      { kind: "message", role: "tool", parts: [result] },
    ],
  );
  await ask("brief", "--session", "one");
  await makeRepo(join(carryon.folder, "work"), ["second"]);
  await writeFile(inSdd("project", "steering", "tech.md"), "# Tech\n");
  const decide = await ask("decide", "steering-exception", "x", ...fields, "--steering-ref", "tech.md");
  await appendFile(inSdd("handover", "decisions.md"), "\n[yesterday] D7: MINE |\n\n[] D8");
  await ask("note", "pattern", "api: a", ...origin);
  const note = await ask("note", "pattern", "api: b", ...origin);
  await ask("handover", "draft");
  const text = await readFile(inSdd("handover", "session.md"), "utf8");
  await writeFile(inSdd("handover", "session.md"), text.replace("(D2)", "(D99)"));
  await carryon.ask(["trust"]);
  return {
    decide,
    note,
    decisions: await ask("decisions"),
    brief: await ask("brief", "--budget", "5000"),
    "handover-draft": await ask("handover", "draft", "--done", "something"),
    handover: await ask("handover", "--decisions", "No password at all"),
    "handover-history": await ask("handover", "--history"),
    "note-candidates": await ask("note", "candidates"),
    "note-flush": await ask("note", "flush"),
    "note-dismiss": await ask("note", "candidates", "--dismiss", "api"),
    "decisions-restore": await loseDecisions(inSdd("handover", "decisions.md"), () =>
      ask("decisions", "--restore"),
    ),
  };
}

async function loseDecisions<Answer>(path: string, ask: () => Promise<Answer>): Promise<Answer> {
  await writeFile(path, "");
  return ask();
}

const answers = await collectAnswers();

describe("the schema of an answer", () => {
  it("is there for every command of the handover, and is linked and published", () => {
    const names = Object.keys(schemas).toSorted((one, other) => one.localeCompare(other));
    expect(names).toEqual(Object.keys(answers).toSorted((one, other) => one.localeCompare(other)));
    const page = readFileSync("docs/formats/cli-json.md", "utf8");
    expect(names.filter((name) => !page.includes(`(schemas/${name}.json)`))).toEqual([]);
    expect(JSON.parse(readFileSync("package.json", "utf8"))).toMatchObject({
      files: expect.arrayContaining(["docs/formats/schemas"]),
      exports: { "./schemas/*.json": "./docs/formats/schemas/*.json" },
    });
  });

  it("says the same of the same thing as the others", () => {
    const defined = Object.values(schemas).flatMap(({ $defs = {} }) => Object.entries($defs));
    const first = new Map(defined.toReversed());
    for (const [name, definition] of defined) expect([name, definition]).toEqual([name, first.get(name)]);
  });

  it("is tried with a value for everything that it describes", () => {
    expect(Object.entries(answers).flatMap(([name, answer]) => findEmptyLists(name, answer))).toEqual([]);
    expect(answers).toMatchObject({
      "handover-draft": { problems: [{ code: "unknown-decision" }] },
      handover: {
        archive: expect.any(String),
        summary: { tests: { outcome: "failed" }, specs: [{ wave: 1 }] },
      },
      "handover-history": {
        versions: expect.arrayContaining([expect.objectContaining({ origin: "found" })]),
      },
      brief: { parts: expect.arrayContaining([expect.objectContaining({ at: null })]) },
      decisions: { decisions: expect.arrayContaining([expect.objectContaining({ seq: 8, type: "" })]) },
    });
  });

  it.each(Object.keys(schemas))("names every field of what the command prints: %s", (name) => {
    expect(findFaults(readerOf(close(schemas[name])), answers[name])).toEqual([]);
  });

  it.each(Object.keys(schemas))("allows a field that is new: %s", (name) => {
    expect(findFaults(readerOf(schemas[name]), { ...(answers[name] as object), brandNew: 1 })).toEqual([]);
  });

  it.each(Object.keys(schemas))("refuses a field that is missing or of another type: %s", (name) => {
    const reader = readerOf(schemas[name]);
    const broken = [...breakEverywhere(answers[name])];
    expect(broken.length).toBeGreaterThan(4);
    for (const { what, value } of broken)
      expect({ what, isRefused: findFaults(reader, value).length > 0 }).toEqual({
        what,
        isRefused: true,
      });
  });
});

/** Returns the names of lists in which there is nothing to look at. */
function findEmptyLists(name: string, value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value) && value.length === 0) return [name];
  return Object.entries(value).flatMap(([key, each]) => findEmptyLists(`${name}.${key}`, each));
}

interface Broken {
  readonly what: string;
  readonly value: unknown;
}

/** Yields a value without each of its fields, and with each replaced by something of another type. */
function* breakEverywhere(value: unknown, name = "it"): Generator<Broken> {
  for (const other of othersThan(value)) yield { what: `${name} is ${JSON.stringify(other)}`, value: other };
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    const put = (inner: unknown) =>
      Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
    if (!Array.isArray(value)) {
      const { [key]: _gone, ...rest } = value as Readonly<Record<string, unknown>>;
      yield { what: `${name}.${key} is missing`, value: rest };
    }
    for (const { what, value: inner } of breakEverywhere(each, `${name}.${key}`))
      yield { what, value: put(inner) };
  }
}

/** Returns values of other types; what is null may be something else, and a text may be missing. */
function othersThan(value: unknown): readonly unknown[] {
  if (value === null) return [true, []];
  const typeOf = (each: unknown) => (Array.isArray(each) ? "list" : typeof each);
  return [true, 7.5, "?", {}, []].filter((each) => typeOf(each) !== typeOf(value));
}
