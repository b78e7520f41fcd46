import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setPrivate } from "../../src/recording/set-private.ts";
import { openHook, silence, type TestHook } from "../support/open-hook.ts";

const session = "11111111-2222-4333-8444-555555555555";
const submitted = (cwd: string) => ({
  ...{ hook_event_name: "UserPromptSubmit", session_id: session, cwd, prompt: "hush" },
});

const events = async (hook: TestHook) => (await hook.inbox()).map(({ event }) => event);

describe("a hook", () => {
  it("records nothing in a folder that is turned off, and everything elsewhere", async () => {
    await using hook = await openHook();
    await writeFile(join(hook.home, "config.yaml"), "record:\n  /secret: off\n");
    expect(await hook.run(submitted("/secret/project"))).toEqual(silence);
    expect(await events(hook)).toEqual([]);
    expect(await hook.spool()).toEqual([]);
    expect(await hook.run(submitted("/open"))).toEqual(silence);
    expect(await events(hook)).toEqual(["UserPromptSubmit"]);
  });

  it("records nothing of a private session, says so once, and goes on when it is private no longer", async () => {
    await using hook = await openHook();
    const wish = (recording: "off" | "on") =>
      setPrivate(hook.home, { session, recording, at: new Date(), client: hook.home });
    await wish("off");
    const told = await hook.run(submitted("/open"));
    expect({ ...told, stdout: JSON.parse(told.stdout) }).toEqual({
      ...silence,
      stdout: {
        systemMessage: "Carryon does not record this session: it is private until `carryon private --off`.",
      },
    });
    expect(await hook.run(submitted("/open"))).toEqual(silence);
    expect(await events(hook)).toEqual([]);
    await wish("on");
    expect(await hook.run(submitted("/open"))).toEqual(silence);
    expect(await events(hook)).toEqual(["UserPromptSubmit"]);
    expect(await hook.log()).toEqual([]);
  });

  it("records nothing where nobody can say what is private", async () => {
    await using hook = await openHook();
    await writeFile(join(hook.home, "config.yaml"), "record: { /secret: off }\n");
    await hook.run(submitted("/open"));
    await mkdir(join(hook.home, "private"));
    await writeFile(join(hook.home, "private", `${session}.json`), "{broken");
    await writeFile(join(hook.home, "config.yaml"), "");
    await hook.run(submitted("/open"));
    expect(await events(hook)).toEqual([]);
  });
});
