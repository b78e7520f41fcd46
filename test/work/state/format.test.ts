import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toWireState } from "../../../src/work/render-work-state.ts";
import { parseWorkState } from "../../../src/work/state/parse-work-state.ts";

const page = readFileSync("docs/formats/work-state.md", "utf8");
const schemaOf = (name: string) => JSON.parse(readFileSync(`docs/formats/schemas/${name}.json`, "utf8"));

/** Returns what stands in code in the first column of the tables under a heading, without their heads. */
function namesUnder(text: string, heading: string): readonly string[] {
  const [, section = ""] = text.split(`\n${heading}\n`);
  const rows = (section.split(/\n##/)[0] ?? "").split("\n").filter((line) => /^\| `/.test(line));
  return rows
    .filter((row) => !/^\| `left_out` \| what/.test(row))
    .flatMap((row) => Array.from((row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g), ([, name = ""]) => name));
}

describe("the page of session-state.json", () => {
  it("shows a file that is read without a problem and written with the same values", () => {
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const parsed = parseWorkState(example);
    expect(parsed).toMatchObject({ type: "state", unknown: {} });
    expect(parsed.type === "state" && toWireState(parsed.state)).toEqual(JSON.parse(example));
  });

  it("names every field of the schema, and no other", () => {
    const { properties, $defs } = schemaOf("session-state");
    expect(namesUnder(page, "## Fields")).toEqual(Object.keys(properties));
    expect(namesUnder(page, "### blocker")).toEqual(Object.keys($defs.stateBlocker.properties));
    const { savedFile } = schemaOf("save").$defs;
    expect(new Set(namesUnder(page, "### modified_files"))).toEqual(
      new Set([...Object.keys(savedFile.properties), ...savedFile.properties.left_out.enum]),
    );
  });
});

it("the page of the work explains every code that a load can say, in their order", () => {
  const { validation } = schemaOf("load").$defs;
  const codes = namesUnder(readFileSync("docs/work-state.md", "utf8"), "## What load says");
  expect(codes).toEqual(validation.properties.code.enum);
});
