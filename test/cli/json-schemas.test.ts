import { globSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseWorkState } from "../../src/work/state/parse-work-state.ts";
import { collectDiffAnswers } from "../support/diff-answers.ts";
import { collectGateAnswers } from "../support/gates/gate-answers.ts";
import { makeRepo } from "../support/git-repo.ts";
import { collectImportAnswers } from "../support/import-answers.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { collectShareAnswers } from "../support/share-answers.ts";
import { collectSyncAnswer } from "../support/sync-answer.ts";
import { type Answers, collectWorkAnswers } from "../support/work-answers.ts";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0] & object;
type Schemas = Readonly<Record<string, JsonSchema>>;

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

/** Runs every command of the handover, where it has something to say, and returns the answers by their schemas. */
async function collectAnswers(): Promise<Readonly<Record<string, unknown>>> {
  await using carryon = await openCarryon();
  const ask = async (...args: readonly string[]) => JSON.parse(await carryon.ask([...args, "--json"]));
  const inSdd = (...names: readonly string[]) => join(carryon.folder, "work", ".claude", "sdd", ...names);
  await makeRepo(join(carryon.folder, "work"), ["first"]);
  await mkdir(inSdd("project", "specs", "login"), { recursive: true });
  await mkdir(inSdd("project", "steering"));
  await writeFile(inSdd("project", "specs", "login", "spec.yaml"), spec);
  const call = { type: "tool-call", call: "1", name: "Bash", input: { command: "npm test" } };
  const result = { type: "tool-result", call: "1", output: "Exit code 1", failed: true };
  await carryon.ask(
    ["append"],
    [
      { kind: "message", role: "user", parts: [{ type: "text", text: "Test it" }] },
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
    handover: await ask("handover", "--decision", "No password at all", "--reason", "r", "--impact", "i"),
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

async function collectSearchAnswer(): Promise<unknown> {
  await using carryon = await openCarryon();
  await carryon.record("find me", "and me");
  return JSON.parse(await carryon.ask(["search", "me", "after:someday", "--limit", "1", "--json"]));
}

/** Several may have answers of one command. */
function joinAnswers(...parts: readonly Answers[]): Answers {
  const named = parts.flatMap((part) => Object.entries(part));
  const grouped = Map.groupBy(named, ([name]) => name);
  return Object.fromEntries([...grouped].map(([name, all]) => [name, all.flatMap(([, given]) => given)]));
}

const handoverAnswers = await collectAnswers();
const [workAnswers, gateAnswers] = [await collectWorkAnswers(), await collectGateAnswers()];
const answers = joinAnswers(
  await collectDiffAnswers(),
  workAnswers,
  gateAnswers,
  { sync: [await collectSyncAnswer()], search: [await collectSearchAnswer()] },
  { import: await collectImportAnswers() },
  Object.fromEntries(Object.entries(handoverAnswers).map(([name, answer]) => [name, [answer]])),
  { ...(await collectShareAnswers()) },
);
const names = Object.keys(answers).toSorted((one, other) => one.localeCompare(other));

/** The schemas of files that are not answers. */
const ofFiles = ["export-carryon", "export-json", "requirements.schema", "session-state"];

/** Lists that an answer of this schema never has anything in. */
const alwaysEmpty = ["load.integrity.errors", "load-missing.validation", "load-resume.integrity.errors"];

/**
 * A file that was committed has no reason why it was left out, most transcripts have no row of an unknown type, and most
 * people share nothing.
 */
const mayBeMissing =
  /\.modified_files\.\d+\.left_out is missing$|^it\.unknown\.\S+ is missing$|^it\.remote is missing$/;

describe("the schema of an answer", () => {
  it("is there for digest, sync, push, import, diff, merge and every command of the handover, of the work and of the gates, and is linked and published", () => {
    const files = Object.keys(schemas).toSorted((one, other) => one.localeCompare(other));
    expect(files).toEqual([...names, ...ofFiles].toSorted((one, other) => one.localeCompare(other)));
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
    const lists = Object.entries(answers).flatMap(([name, given]) =>
      given.flatMap((answer) => [...findLists(name, answer)]),
    );
    const full = new Set(lists.flatMap(({ path, length }) => (length > 0 ? [path] : [])));
    expect(new Set(lists.flatMap(({ path }) => (full.has(path) ? [] : [path])))).toEqual(
      new Set(alwaysEmpty),
    );
    expect(handoverAnswers).toMatchObject({
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

  it("is tried with what becomes of work", () => {
    expect(answers).toMatchObject({
      save: [
        { commit: { outcome: "committed" }, push: { outcome: "pushed" }, aside: null },
        { commit: { outcome: "in-progress", operation: "merge" }, push: null, aside: expect.any(String) },
      ],
      "save-dry-run": [
        { commit: { outcome: "would-commit" }, push: { outcome: "would-push" } },
        { commit: { outcome: "in-progress", operation: "merge" }, push: null },
      ],
      "load-resume": [
        { recovery: { type: "ran" }, git: { type: "there" } },
        { recovery: { type: "no-blocker" }, git: { type: "switched" } },
        { git: { type: "left-alone" } },
        { integrity: { warnings: [{ field: "mode" }] } },
      ],
      "load-missing": [
        { checkpoint: { working_on: "The form" } },
        { checkpoint: { version: 1 } },
        { machine: "ada-laptop" },
      ],
      blocker: [{ blocker: { type: "test_failure" } }, { blocker: null }],
      status: [
        { handover: { at: expect.any(String) }, next_task: "Docs", workstreams: [{ status: "open" }] },
        { work: null, next_task: null, gates: null },
        { gates: { gates: [{ name: "own" }], inert: expect.any(String) } },
        { gates: { session: "s1", inert: null } },
        { remote: { inStepAt: expect.any(String), missing: ["shpo"], trouble: null } },
        { remote: { inStepAt: null, trouble: { message: expect.any(String) } } },
      ],
      push: [
        { changes: [{ type: "held", reason: expect.any(String) }] },
        { changes: expect.arrayContaining([expect.objectContaining({ was: expect.any(String) })]) },
        { changes: expect.arrayContaining([expect.objectContaining({ type: "spared" })]) },
      ],
    });
  });

  it.each(names)("names every field of what the command prints: %s", (name) => {
    const reader = readerOf(close(schemas[name]));
    expect(answers[name]?.flatMap((answer) => findFaults(reader, answer))).toEqual([]);
  });

  it.each(names)("allows a field that is new: %s", (name) => {
    const reader = readerOf(schemas[name]);
    const newer = answers[name]?.map((answer) => ({ ...(answer as object), brandNew: 1 })) ?? [];
    expect(newer.flatMap((answer) => findFaults(reader, answer))).toEqual([]);
  });

  it.each(names)("refuses a field that is missing or of another type: %s", (name) => {
    const reader = readerOf(schemas[name]);
    const broken = (answers[name] ?? []).flatMap((answer) => [...breakEverywhere(answer)]);
    expect(broken.length).toBeGreaterThan(4);
    for (const { what, value } of broken)
      expect({ what, isRefused: findFaults(reader, value).length > 0 }).toEqual({
        what,
        isRefused: !mayBeMissing.test(what),
      });
  });
});

describe("the schema of session-state.json", () => {
  const [{ state }] = answers.save as readonly [{ readonly state: object }];
  const reader = readerOf(schemas["session-state"]);

  it("allows what is written, and fields of others", () => {
    expect(findFaults(readerOf(close(schemas["session-state"])), state)).toEqual([]);
    expect(findFaults(reader, { ...state, brandNew: 1 })).toEqual([]);
  });

  it("refuses just what cannot be read without a warning", () => {
    const broken = [...breakEverywhere(state)];
    expect(broken.length).toBeGreaterThan(100);
    for (const { what, value } of broken) {
      const parsed = parseWorkState(JSON.stringify(value));
      const isRead = parsed.type === "state" && parsed.warnings.length === 0;
      expect({ what, isRefused: findFaults(reader, value).length > 0 }).toEqual({ what, isRefused: !isRead });
    }
  });
});

interface List {
  readonly path: string;
  readonly length: number;
}

/** Yields the lists of a value, each with the names that lead to it; what is in a list has no name of its own. */
function* findLists(path: string, value: unknown): Generator<List> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) yield { path, length: value.length };
  for (const [key, each] of Object.entries(value))
    yield* findLists(Array.isArray(value) ? path : `${path}.${key}`, each);
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
