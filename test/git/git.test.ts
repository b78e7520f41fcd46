import { chmod, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { makeRepo, git as runGit } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";

it("takes no repository for a plain folder because git was killed", async () => {
  await using carryon = await openCarryon();
  await makeRepo(`${carryon.folder}/work`, ["first"]);
  // What git's files say themselves is not asked.
  await runGit(`${carryon.folder}/work`, "pack-refs", "--all");
  const git = `${carryon.folder}/git`;
  await writeFile(git, "#!/bin/sh\nkill -9 $$\n");
  await chmod(git, 0o755);
  const PATH = `${carryon.folder}:${process.env.PATH}`;
  const recording = carryon.run(["append"], { input: '{"role":"user","text":"one"}\n', env: { PATH } });
  expect(await recording).toMatchObject({
    code: 74,
    stdout: "",
    stderr: expect.stringContaining(
      "Git gave no answer, so that the project is not known: it was ended by SIGKILL",
    ),
  });
});
