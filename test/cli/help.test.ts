import { describe, expect, it } from "vitest";
import { describeCli } from "../../scripts/describe-cli.ts";
import { commandTable, groups } from "../../src/cli/command-table.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

const widest = (text: string) => Math.max(...text.split("\n").map(textWidth));

/** Runs a command line that needs no store, as on a terminal of a given width. */
async function say(args: readonly string[], columns = 80): Promise<string> {
  const context = testContext("/nowhere", { columns });
  expect(await runCli(args, context)).toBe(0);
  return context.said.out;
}

describe("help", () => {
  it("lists all commands in groups, with examples", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.run(["--help"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Carryon keeps every session of your coding agents, so that any can be picked up
      exactly where it stopped.

      Usage: carryon [command] [options]

      Start here:
        tour        See in a minute what Carryon does, in a scratch folder
        init        Record what Claude Code does in this project from now on
        uninit      Stop recording, and take back what init wrote
        trust       Let what this repository says to Carryon count
        status      Show where you are and what to do next; same as carryon alone

      Sessions:
        append      Record messages from JSON lines, each one durable when
                    acknowledged
        sync        Take in what Claude Code wrote since the last time
        import      Take in what was exported, or the history that a client has kept
        export      Write sessions to a file, to read or to import elsewhere
        push        Send sessions to a store
        pull        Take sessions from a store
        sessions    List the sessions of this project, newest first
        show        Show the transcript of one session
        digest      Show the goal, state and findings of a session
        search      Find what was said and done in sessions
        resume      Choose a session, and go on where it stopped
        chat        Talk to a model in a session that survives
        run         Let an instructor direct a worker until a task is done
        replay      Do the task of a run over with another model, or without one
        fork        Start a session that shares another's entries up to a point
        diff        Compare two sessions: what they share, what each did
        merge       Bring what a session lacks of another into it
        rename      Give a session another title
        tag         Add tags to a session, remove or list them
        delete      Delete sessions for good
        relink      Tell that a project has moved here from another folder

      Work:
        save        Save where the work stands: a commit, and the state of the tasks
        load        Go back to where the work was saved
        blocker     Show, put down or resolve what stops the work
        check       Approve the commands that check the work
        recovery    Approve the commands that clear a blocker
        gate        See and satisfy what must be done before tools may run

      Handover:
        handover    Write down what the next session must know
        brief       Show what the next session must know
        decide      Write a decision down, with its number
        decisions   Read what was decided
        note        Note what was learned, and move notes into knowledge
        mcp         Serve this project to an agent over the Model Context Protocol

      Care of the store:
        clean       Delete the sessions that nothing was added to for a while
        verify      Check that sessions are whole and unchanged
        doctor      Examine the store and the hooks: what is wrong, what takes space
        repair      Mend damaged session files of a client
        backup      Copy the whole store to a file while it is in use
        restore     Make the store what a backup says, keeping what it was
        private     Stop recording this session from now on
        scrub       Take a secret out of everything that is stored

      Shell:
        completion  Print the completion script for bash, zsh or fish

      Examples:
        carryon tour                 see it work in a scratch folder
        carryon init                 record what Claude Code does here
        carryon sessions --since 7d  what happened here this week
        carryon resume               choose a session and go on in it

      \`carryon help COMMAND\` explains a command by example; --version names this one.
      ",
      }
    `);
  });

  it("is the same for --help, -h and help", async () => {
    const [first, ...others] = await Promise.all([say(["--help"]), say(["-h"]), say(["help"])]);
    expect(others).toEqual([first, first]);
  });

  it.each([40, 60, 80])("fits a terminal of %i columns", async (columns) => {
    const text = (await say(["--help"], columns)).replace(/^Examples:\n(?: {2}.*\n)*/m, "");
    expect(widest(text)).toBeLessThanOrEqual(columns);
  });

  it.each([...commandTable.keys()])(
    "explains %s in 80 columns with two to four real examples",
    async (name) => {
      const text = await say(["help", name]);
      const examples = [...text.matchAll(/^ {2}(\S.*)\n {6}\S/gm)].map(([, line = ""]) => line);
      expect(text).toBe(await say([name, "--help"]));
      expect(widest(text)).toBeLessThanOrEqual(80);
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(examples.length).toBeLessThanOrEqual(4);
      expect(examples.filter((line) => !/\bcarryon\b/.test(line))).toEqual([]);
    },
  );

  it("has a summary for every command that is imperative and no sentence", () => {
    for (const { summary, group } of commandTable.values()) {
      expect(summary).toMatch(/^[A-Z][^.]*[^.]$/);
      expect(groups).toContain(group);
    }
  });

  // Seed 3: 12.5
  it("becomes a document that names every command and every option", async () => {
    const document = await describeCli();
    for (const [name, { load }] of commandTable) {
      expect(document).toContain(`### carryon ${name}\n`);
      for (const { flags } of (await load()).command.build(name).options) expect(document).toContain(flags);
    }
  });
});

describe("version", () => {
  it("is that of the package", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.run(["--version"])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });
});
