import { once } from "node:events";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { patience } from "../support/process-group.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { ends, goesOn, runScenario } from "../support/run-scenario.ts";

/** A command that names its process, does not end when it is asked to, and says that it was. */
const command = "trap '' INT; trap 'touch asked' TERM; echo $$ > pid; while :; do sleep 600; done";

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
    // Only a signal that comes more than a second after the first was heard counts as a second one.
    await vi.waitFor(() => access(join(carryon.folder, "work", "asked")), patience);
    await sleep(1200);
    child.kill("SIGINT");
    expect((await closed)[0]).toBe(130);
    expect(await said).toContain("Resume with: carryon run --resume");
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(await carryon.ask(["show", "latest", "--json"])).toContain("Interrupted: it was stopped");
  });
});
