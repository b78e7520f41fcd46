import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { openMachine } from "../support/open-machine.ts";
import { openDatabase } from "../support/postgres-database.ts";

const entriesOf = (shown: string): readonly string[] =>
  JSON.parse(shown).entries.flatMap((entry: { parts?: readonly { text: string }[] }) =>
    (entry.parts ?? []).map(({ text }) => text),
  );

it("work that began on one machine goes on on another one, in another clone, and comes back", async () => {
  await using database = await openDatabase();
  await using a = await openMachine("ada-laptop");
  await using b = await openMachine("ben-desktop");
  const [onA, onB] = [a.path("shop"), b.path("code", "the-shop")];
  await makeRepo(onA, ["first"]);
  await git(b.path(), "clone", "--quiet", onA, onB);

  const [line = ""] = (
    await a.ask(
      onA,
      ["append", "--title", "Login"],
      [
        { role: "user", text: "Build the login" },
        { role: "assistant", text: "The form is there" },
      ],
    )
  ).split("\n");
  const { session } = JSON.parse(line);
  await writeFile(`${onA}/login.ts`, "export {};\n");
  await a.ask(onA, ["save", "-m", "The login form", "--next", "Its tests", "--no-commit"]);
  await a.ask(onA, [
    "handover",
    "draft",
    "--done",
    "The login form",
    "--next",
    "Ask for a review of the login",
  ]);
  const pushed = JSON.parse(await a.ask(onA, ["push", database.url, "--json"]));
  expect(pushed).toMatchObject({ store: database.shown, scrubbed: 0 });
  expect(pushed.changes.map(({ type }: { type: string }) => type)).toEqual(pushed.changes.map(() => "added"));

  // Ben knows the project by its first commit, whatever his clone is called.
  await b.ask(onB, ["pull", database.url]);
  expect(JSON.parse(await b.ask(onB, ["sessions", "--json"])).sessions).toMatchObject([
    { id: session, title: "Login", machine: "ada-laptop" },
  ]);
  expect(entriesOf(await b.ask(onB, ["show", session, "--json"]))).toEqual([
    "Build the login",
    "The form is there",
  ]);
  expect(await b.ask(onB, ["show", session])).toContain("the-shop · on ada-laptop · main");
  expect(await b.ask(onB, ["sessions"])).toMatch(/MACHINE +TITLE\n.*ada-laptop +Login/);
  // What Ada wrote is somebody else's until Ben trusts the project, and named as hers after that.
  const before = await b.ask(onB, ["brief"]);
  expect(before).toContain('session.md: written by "ada-laptop"');
  expect(before).not.toContain("Ask for a review of the login");
  await b.trust(onB);
  const brief = await b.ask(onB, ["brief"]);
  expect(brief).toContain("Ask for a review of the login");
  expect(brief).toContain("The login form");
  expect(brief).toContain('session-state.json: written by "ada-laptop"');
  expect((await b.call(onB, ["load"])).err).toContain("on ada-laptop is in the log");
  await b.ask(onB, ["load", "--restore"]);
  expect(await b.ask(onB, ["load"])).toContain("Go on with: Its tests");

  await b.ask(onB, ["append", "--session", session], [{ role: "user", text: "Write the tests" }]);
  await b.ask(onB, ["save", "-m", "The tests of the login", "--next", "Merge it", "--no-commit"]);
  await b.ask(onB, ["push", database.url]);
  await a.ask(onA, ["pull", database.url]);
  expect(entriesOf(await a.ask(onA, ["show", session, "--json"]))).toEqual([
    "Build the login",
    "The form is there",
    "Write the tests",
  ]);
  // What she saved herself is not replaced by what he saved.
  expect(await a.ask(onA, ["load"])).toContain("Go on with: Its tests");
  expect(JSON.parse(await a.ask(onA, ["verify", "--json"])).ok).toBe(true);

  // Both go on without the server, and meet again.
  await a.ask(onA, ["append", "--session", session], [{ role: "user", text: "Ada alone" }]);
  await b.ask(onB, ["append", "--session", session], [{ role: "user", text: "Ben alone" }]);
  await a.ask(onA, ["push", database.url]);
  const parted = await b.call(onB, ["push", database.url]);
  expect(parted.err).toContain(
    `this one is ${session}-ben-desktop there. After \`carryon pull\` both are here`,
  );
  const met = await b.call(onB, ["pull", database.url]);
  expect(met.err).toContain(`To join them: carryon merge ${session} ${session}-ada-laptop`);
  await a.ask(onA, ["pull", database.url]);
  expect(entriesOf(await a.ask(onA, ["show", `${session}-ben-desktop`, "--json"])).at(-1)).toBe("Ben alone");
  expect(entriesOf(await b.ask(onB, ["show", `${session}-ada-laptop`, "--json"])).at(-1)).toBe("Ada alone");
  for (const [machine, folder] of [
    [a, onA],
    [b, onB],
  ] as const) {
    expect(await machine.ask(folder, ["push", database.url])).toContain("nothing new");
    expect(await machine.ask(folder, ["pull", database.url])).toContain("nothing new");
  }
});
