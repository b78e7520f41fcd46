import { describe, expect, it } from "vitest";
import type { Choice } from "../../src/cli/choice-list.ts";
import { openRunMachines, sessionIn, writesFiles } from "../support/run-machines.ts";

describe("carryon resume", () => {
  it("goes on with a run in `carryon run`", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const session = sessionIn(await ada.run("Write two files.", "-r", "1"));
    const command = `cd ${ada.folder} && carryon run --resume --session ${session}\n`;
    expect(await ada.ask(ada.folder, ["resume", session])).toBe(command);
    expect(await ada.ask(ada.folder, ["resume", "latest"])).toBe(command);
    expect(await ada.ask(ada.folder, ["resume"])).toBe(command);
  });

  it("passes over a run that is done, and says what it needs", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const open = sessionIn(await ada.run("Write two files.", "-r", "1"));
    const done = sessionIn(await ada.run("Write them again."));
    await ada.ask(ada.folder, ["tag", done, "finished"]);
    const latest = await ada.call(ada.folder, ["resume", "latest"]);
    expect([latest.out, latest.err]).toEqual([
      `cd ${ada.folder} && carryon run --resume --session ${open}\n`,
      `A newer one cannot be resumed. The task of ${done} is done.\n`,
    ]);
    const named = await ada.call(ada.folder, ["resume", done]);
    expect([named.code, named.err]).toEqual([
      2,
      `carryon: The task of ${done} is done.\n` +
        `  Say what is to be done further: \`carryon run --resume --session ${done} "MORE"\`\n`,
    ]);
    await ada.run("--resume", "And once more.", "-r", "1");
    expect(await ada.ask(ada.folder, ["resume", "latest"])).toContain(done);
  });

  // Seed 3: 5.6
  it("offers runs among the sessions, and starts the one that is chosen", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const session = sessionIn(await ada.run("Write two files.", "-r", "1"));
    await ada.run("Write them again.");
    const shown: Choice[] = [];
    const started: (readonly string[])[] = [];
    const code = await ada.pick(["resume"], {
      choose: async (_question, choices) => {
        shown.push(...choices);
        return 1;
      },
      start: async ({ cwd, args }) => {
        started.push([cwd, ...args.slice(1)]);
      },
    });
    expect([code, started]).toEqual([0, [[ada.folder, "run", "--resume", "--session", session]]]);
    expect(shown.map(({ label, detail = [] }) => `${label} ${detail.at(-1)}`)).toEqual([
      expect.stringMatching(/Write them again\..*✗ task done.* · run$/),
      expect.stringMatching(/Write two files\..*ended.* · run$/),
    ]);
    expect(shown[0]?.refusal).toContain("This one cannot be resumed.");
  });
});

describe("carryon status", () => {
  it("says how to go on with a run", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    await ada.run("Write two files.", "-r", "1");
    const { out } = await ada.call(ada.folder, ["status"]);
    expect(out).toMatch(/carryon run --resume "MORE" +go on with it, with further instructions\n/);
  });
});
