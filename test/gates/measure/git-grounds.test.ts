import { expect, it } from "vitest";
import { hashSettings, listGrounds } from "../../../src/gates/measure/grounds.ts";
import { makeRepo } from "../../support/git-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { placeOf, writesOf } from "../../support/tree-writes.ts";

it.each([
  { what: "the list of all repositories", command: "mkdir -p ../own/git; echo unseen > ../own/git/ignore" },
  { what: "the list that settings name", command: "echo unseen >> ../ignored" },
  { what: "settings of all repositories", command: "printf '[core]\\n\\tfileMode = false\\n' >> ../global" },
])("finds that a command has changed $what", async ({ command }) => {
  await using dir = await tempDir();
  const root = dir.join("repo");
  await makeRepo(root, ["first"]);
  const usual = placeOf(root);
  const env = { ...usual.env, XDG_CONFIG_HOME: dir.join("own"), GIT_CONFIG_GLOBAL: dir.join("global") };
  await writesOf(
    usual,
    'printf \'[core]\\n\\texcludesFile = %s/ignored\\n\' "$(dirname "$PWD")" > ../global; touch ../ignored',
  );
  const grounds = listGrounds({ root, commonFolder: `${root}/.git`, user: dir.join("none"), env });
  const place = { ...usual, env, grounds };
  expect(await writesOf(place, "echo x > ../beside")).toEqual([]);
  const [path] = /\S+$/.exec(command) ?? [""];
  expect(await writesOf(place, command)).toEqual([dir.join(path.slice(3))]);
});

const names = '[branch "main"]\n\tremote = origin\n[remote "origin"]\n\turl = /x\n';

it.each([
  { what: "a branch that is pushed", text: `[core]\n\tbare = false\n${names}`, isSame: true },
  { what: "nothing", text: "[core]\n\tbare = false\n", isSame: true },
  { what: "another setting", text: "[core]\n\tbare = false\n\tfileMode = false\n", isSame: false },
  {
    what: "a setting behind names",
    text: `[core]\n\tbare = false\n${names}[diff]\nexternal = x`,
    isSame: false,
  },
  {
    what: "two headings in a line",
    text: '[core]\n\tbare = false\n[branch "x"][diff]\nexternal = x',
    isSame: false,
  },
  {
    what: "a heading that is part of a value",
    text: '[core]\n\tbare = false\n\tx = y\\\n[branch "x"]\nexcludesFile = x',
    isSame: false,
  },
  {
    what: "a heading behind a comment",
    text: '[core]\n\tbare = false\n[branch "x"]\n# y\\\n[diff]\nexternal = x',
    isSame: false,
  },
])("tells settings that hide or run something from $what: $isSame", ({ text, isSame }) => {
  expect(hashSettings(text) === hashSettings("[core]\n\tbare = false\n")).toBe(isSame);
});
