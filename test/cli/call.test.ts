import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepo } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";

it.each([
  { of: "an answer", args: ["sessions", "--json"] },
  { of: "talk", args: ["init", "--yes", "--no-import"] },
  { of: "a refusal", args: ["delete"], input: "" },
  { of: "an error as JSON", args: ["show", "nope", "--json"] },
  { of: "input", args: ["append", "--json"], input: '{"role":"user","text":"größe"}\n{"role":"x"}\n' },
  { of: "the environment", args: ["sessions"], env: { CARRYON_STORE: "postgres://127.0.0.1:1/x" } },
  { of: "another folder", args: ["status"], cwd: "elsewhere" },
])(
  "a command in the process of a test gives what the program gives: $of",
  async ({ args, cwd, ...given }) => {
    const answers = ["run", "call"].map(async (way) => {
      await using carryon = await openCarryon();
      for (const name of ["work", "elsewhere"]) await makeRepo(join(carryon.folder, name), [name]);
      await carryon.record("hello");
      const options = { ...given, ...(cwd === undefined ? {} : { cwd: join(carryon.folder, cwd) }) };
      const { stdout, ...rest } = await carryon[way as "run" | "call"](args, options);
      // Commits of the same content differ when a second has passed.
      return { ...rest, stdout: stdout.replace(/\b(?:[0-9a-f]{12}|[0-9a-f]{40})\b/g, "<commit>") };
    });
    const [ran, called] = await Promise.all(answers);
    expect(called).toEqual(ran);
  },
);
