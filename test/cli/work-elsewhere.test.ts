import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openTwoClones, type TwoClones } from "../support/two-clones.ts";

const listOn = async (ask: TwoClones["asAda"]) =>
  JSON.parse(await ask("load", "--list", "--json")).checkpoints;

describe("checkpoints of another machine", () => {
  it("are listed with its name, beside one's own, the newest first", async () => {
    await using two = await openTwoClones();
    await two.asAda("save", "-m", "The form", "--next", "Its tests", "--no-commit");
    await two.toBen();
    await two.asBen("save", "-m", "The docs", "--no-commit");
    expect(await listOn(two.asBen)).toMatchObject([
      { working_on: "The docs", machine: null },
      { working_on: "The form", machine: "ada-laptop" },
    ]);
    const [head, own, theirs] = (await two.asBen("load", "--list"))
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect([head?.at(-2), own?.slice(-2), theirs?.slice(-2)]).toEqual([
      "MACHINE",
      ["here", "The docs"],
      ["ada-laptop", "The form"],
    ]);
    expect(await two.asAda("load", "--list")).not.toContain("MACHINE");
  });

  it("are taken by their id, stay somebody else's, and become one's own with the next save", async () => {
    await using two = await openTwoClones();
    await two.asAda("save", "-m", "The form", "--next", "Its tests", "--no-commit");
    await two.toBen();
    await two.asBen("save", "-m", "The docs", "--no-commit");
    const id = (await listOn(two.asBen))[1].id.slice(-12);
    expect(await two.asBen("load", "--restore", id)).toContain("not written by you here");
    const state = JSON.parse(await readFile(`${two.onBen}/.claude/session-state.json`, "utf8"));
    expect(state).toMatchObject({ working_on: "The form" });
    // Nothing of his own is lost by it, and nothing of hers became his.
    expect((await listOn(two.asBen)).map(({ machine }: { machine: unknown }) => machine)).toEqual([
      null,
      "ada-laptop",
    ]);
    await two.ben.trust(two.onBen);
    await two.asBen("save", "-m", "The form and its tests", "--no-commit");
    expect(await two.asBen("load")).not.toContain("not written by you here");
    await two.toAda();
    expect((await listOn(two.asAda))[0]).toMatchObject({
      working_on: "The form and its tests",
      machine: "ben-desktop",
    });
  });

  it("are told by load where they are later than what was saved here, and named where nothing was", async () => {
    await using two = await openTwoClones();
    await two.asAda("save", "-m", "The form", "--no-commit");
    await two.toBen();
    const missing = await two.ben.call(two.onBen, ["load", "--json"]);
    expect(JSON.parse(missing.out)).toMatchObject({
      machine: "ada-laptop",
      checkpoint: { working_on: "The form" },
    });
    await two.asBen("save", "-m", "The docs", "--no-commit");
    expect(await two.asBen("load")).not.toContain("ada-laptop");
    await two.asAda("save", "-m", "The tests", "--no-commit");
    await two.toBen();
    const { later } = JSON.parse(await two.asBen("load", "--json"));
    expect(later).toMatchObject({ machine: "ada-laptop", working_on: "The tests" });
    expect(await two.asBen("load")).toContain(
      `Later    ada-laptop saved just now: The tests (\`carryon load --restore ${later.id.slice(-12)}\` takes it)`,
    );
    await two.asBen("load", "--restore", later.id);
    expect(JSON.parse(await two.asBen("load", "--json")).later).toBeNull();
  });
});
