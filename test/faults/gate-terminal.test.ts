import { expect, it } from "vitest";
import { start } from "../support/child.ts";
import { openGated } from "../support/gates/gated-cli.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

it("takes who types at a terminal for a person, also while a session works in the project", async () => {
  await using client = start("cat", []);
  await using carryon = await openGated();
  await carryon.live("s1", { ppid: client.pid });
  const { HOME = "", CARRYON_HOME = "" } = carryon.env;
  const env = { HOME, CARRYON_HOME, PATH: process.env.PATH ?? "" };
  const words = [process.execPath, launcher, "gate", "approve", "size"] as const;
  await using terminal = await openTerminal(words, { cwd: carryon.root, env });
  expect(await terminal.ended()).toBe(0);
  expect(await carryon.state()).toMatchObject({ size: { sessions: { s1: { satisfied_by: "approval" } } } });
});
