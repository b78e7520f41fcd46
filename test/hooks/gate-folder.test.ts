import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeHeldRules } from "../../src/gates/held/held-rules.ts";
import { chooseGateFolder } from "../../src/hooks/gate-folder.ts";
import { configOf } from "../support/gates/gates.ts";
import { makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const rules = {
  branch: "main",
  trusted: true,
  trustList: null,
  repository: null,
  key: "",
  config: configOf([]),
};

it("asks the gates of a work tree that a session is held to, also when their files are gone", async () => {
  await using dir = await tempDir();
  const root = dir.join("repo");
  await makeRepo(root, ["first"]);
  const file = join(root, ".claude", "requirements.yaml");
  mkdirSync(join(root, ".claude"));
  mkdirSync(join(root, "src"));
  const [home, clientFolder] = [dir.join("home"), dir.join("client")];
  const choose = (session: string, cwd = join(root, "src")) =>
    chooseGateFolder({ hook_event_name: "PreToolUse", session_id: session }, cwd, {
      ...{ home, clientFolder, env: {} },
    });
  writeFileSync(file, "");
  expect(choose("held")).toBe(join(root, "src"));
  rmSync(file);
  expect(choose("held")).toBe(undefined);
  writeHeldRules({ home, session: "held", root }, rules);
  expect(choose("held")).toBe(join(root, "src"));
  expect(choose("another")).toBe(undefined);
  expect(choose("held", dir.path)).toBe(undefined);
});
