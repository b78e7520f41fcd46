import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { patience } from "../support/process-group.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { ends, goesOn, runScenario } from "../support/run-scenario.ts";

/** A command that does not end when it is asked to, and names its process. */
const command = "trap '' TERM INT; echo $$ > pid; sleep 600; sleep 600";

describe("a second Ctrl-C", () => {
  it("kills a command that does not end, and what is known of it is saved", async () => {
    await using server = await openModelServer(
      runScenario([goesOn("Run it."), ends("Done.")], [{ calls: [{ tool: "bash", input: { command } }] }]),
    );
    await using carryon = await openCarryon({
      ...{ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
      CARRYON_MODEL: "anthropic/claude-sonnet-5-5",
    });
    const child = carryon.start(["run", "Run something.", "--yes"]);
    const said = text(child.stderr);
    const readPid = async () => Number(await readFile(join(carryon.folder, "work", "pid"), "utf8"));
    const pid = await vi.waitFor(async () => {
      const found = await readPid();
      expect(found).toBeGreaterThan(0);
      return found;
    }, patience);
    const closed = once(child, "close");
    child.kill("SIGINT");
    // Only a later signal counts as a second one.
    await sleep(1200);
    child.kill("SIGINT");
    expect((await closed)[0]).toBe(130);
    expect(await said).toContain("Resume with: carryon run --resume");
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(await carryon.ask(["show", "latest", "--json"])).toContain("Interrupted: it was stopped");
  });
});
