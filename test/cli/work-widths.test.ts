import { beforeAll, describe, expect, it } from "vitest";
import { makeStyle } from "../../src/lib/style.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import { openWork, type Work } from "../support/work-project.ts";

const widths = [40, 60, 80];

describe("on a narrow terminal", () => {
  let work: Work;
  const show = async (args: readonly string[], columns: number | undefined, colors = false) => {
    const style = makeStyle({ colors });
    const { stdout, stderr } = await work.answer(args, {}, { columns, style, errorStyle: style });
    return `${stdout}${stderr}`;
  };

  beforeAll(async () => {
    work = await openWork();
    await work.write({
      ".claude/requirements.yaml":
        "version: '1.0'\nenabled: true\nrequirements:\n  plan:\n    enabled: true\n    scope: session\n    trigger_tools: [Edit]\n    message: Write down what you are going to change, and why, before the first edit.\n",
    });
    const long = "Let the login form say what is wrong with a password before it is sent to the server";
    await work.call(["trust"]);
    await work.call([
      "save",
      "-m",
      long,
      "--done",
      "form",
      "--todo",
      `${long}, in all languages 日本語も含む`,
    ]);
    const resolution = [
      "--resolution",
      "Ask Ada whether the rules are those of the server, and write it down",
    ];
    await work.call([
      "blocker",
      "add",
      "design_issue",
      `${long}, though nobody knows the rules`,
      ...resolution,
    ]);
    await work.git("checkout", "-qb", "other");
    await work.write({ "a.txt": "changed\n", ".env": "A=1\n" });
    return () => work[Symbol.asyncDispose]();
  });

  it.each([
    ["load", "--no-ask"],
    ["blocker", "show"],
    ["gate", "status"],
    ["load", "--restore", "none"],
  ])("%s %s breaks between words, and only there", async (...args) => {
    const words = (text: string) => text.split(/\s+/);
    const wide = await show(args, undefined);
    for (const columns of widths) {
      const narrow = await show(args, columns);
      expect(words(narrow)).toEqual(words(wide));
      expect(narrow.split("\n").filter((line) => textWidth(line) > columns)).toEqual([]);
    }
  });

  it.each([
    ["save", "--no-commit"],
    ["save", "--dry-run"],
    ["status", ""],
    ["gate", "--verbose"],
  ])("%s %s is no wider, in colours too", async (...args) => {
    for (const columns of widths) {
      const lines = (await show(args.filter(Boolean), columns, true)).split("\n");
      expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
    }
  });

  it("what goes on stands below its beginning", async () => {
    expect(await show(["blocker"], 40)).toMatchInlineSnapshot(`
      "Blocker  design_issue (medium): Let the
               login form say what is wrong
               with a password before it is
               sent to the server, though
               nobody knows the rules
               To do: Ask Ada whether the
               rules are those of the server,
               and write it down
      "
    `);
  });
});
