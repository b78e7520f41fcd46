import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesWith } from "../support/files-with.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { ends, goesOn, runScenario, runs } from "../support/run-scenario.ts";

const canary = () => randomBytes(24).toString("hex").slice(0, 36);
const [key, other, told] = [canary(), canary(), canary()];

/** A token that the task names, an instruction repeats, and a command prints. */
const token = `ghp_${told}`;

describe("the secrets of a run", () => {
  // Seed 3: 7.1, 7.2
  it("are in no byte of what it leaves behind: keys, the environment, and tokens that were said", async () => {
    await using server = await openModelServer(
      runScenario(
        [goesOn(`Log in with ${token}.`), ends(`Used ${token}.`)],
        [runs(`echo ${token}; env`), { text: `Did it with ${token}.` }],
      ),
    );
    await using carryon = await openCarryon({
      ...{
        ANTHROPIC_API_KEY: `sk-ant-${key}`,
        ANTHROPIC_BASE_URL: server.url,
        OPENAI_API_KEY: `sk-${other}`,
      },
      CARRYON_MODEL: "anthropic/claude-sonnet-5-5",
    });
    const run = await carryon.call(["run", `Use ${token}.`, "--yes", "--session-file", "../session.json"]);
    expect([run.code, server.requests.length, server.refusals]).toEqual([0, 4, []]);
    const state = await readFile(join(carryon.folder, "session.json"), "utf8");
    expect(JSON.parse(state)).toMatchObject({ currentRound: 1 });
    await carryon.ask(["export", "latest", "--output", "../export.jsonl"]);
    expect(await filesWith(carryon.folder, ["Log in with"])).not.toEqual([]);
    expect(await filesWith(carryon.folder, [key, other, told])).toEqual([]);
    const dry = await carryon.call(["replay", "latest", "--dry"]);
    expect([dry.code, dry.stderr]).toEqual([0, ""]);
  });
});
