import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseTorture } from "../../scripts/parse-torture.ts";

const file = (name: string) => `test/torture/${name}.test.ts`;

describe("the command line of the campaigns", () => {
  it("runs them all when none is named", () => {
    const all = parseTorture([]);
    expect(all?.env).toEqual({});
    expect(all?.files.toSorted()).toEqual(globSync("test/torture/*.test.ts").toSorted());
  });

  it("runs those that are named, in the size and on the engine that are named", () => {
    expect(parseTorture(["--kills", "500", "--faults", "--engine", "sqlite", "--writers", "16"])).toEqual({
      files: [file("kills"), file("faults")],
      env: { TORTURE_KILLS: "500", TORTURE_ENGINE: "sqlite", TORTURE_WRITERS: "16" },
    });
  });

  it("leaves out those about another engine", () => {
    expect(parseTorture(["--engine", "postgres"])).toEqual({
      files: ["kills", "chats", "server-faults", "exchanges", "runs", "processes"].map(file),
      env: { TORTURE_ENGINE: "postgres" },
    });
  });

  it("runs nothing when help is asked for", () => {
    expect(parseTorture(["--kills", "5", "--help"])).toBeUndefined();
  });

  it("names only variables that the campaigns read", () => {
    const names = [
      "kills",
      "chats",
      "runs",
      "server-faults",
      "flips",
      "exchanges",
      "saves",
      "gates",
      "transcripts",
    ];
    const sizes = names.flatMap((name) => [`--${name}`, "1"]);
    const torture = parseTorture([...sizes, "--writers", "4"]);
    const text = torture?.files.map((path) => readFileSync(path, "utf8")).join();
    const unread = Object.keys(torture?.env ?? {}).filter((name) => !text?.includes(`process.env.${name}`));
    expect(unread).toEqual([]);
  });

  it.each([
    [["--kills", "0"], '--kills takes a number from 1 on, not "0".'],
    [["--flips", "1e3"], '--flips takes a number from 1 on, not "1e3".'],
    [["--engine", "mysql"], '--engine takes one of sqlite, postgres, not "mysql".'],
    [["--writers", "2"], '--writers takes one of 1, 4, 16, not "2".'],
    [["--flips", "5", "--engine", "postgres"], "--flips is about sqlite only."],
    [["--bogus"], "--bogus"],
    [["kills"], "kills"],
    [["--kills"], "--kills"],
  ])("refuses %j", (args, message) => {
    expect(() => parseTorture(args)).toThrow(message);
  });
});
