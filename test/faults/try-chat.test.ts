import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { tempDir } from "../support/temp-dir.ts";

it("lets a newcomer chat without a key, and go on with what was said", async () => {
  await using dir = await tempDir();
  const say = async (prompt: string, ...args: readonly string[]) => {
    const env = {
      PATH: process.env.PATH,
      HOME: dir.path,
      TMPDIR: dir.path,
      CARRYON_TRIAL: dir.join("trial"),
    };
    const child = spawn("npm", ["run", "--silent", "chat", "--", ...args], { env });
    child.stdin.end(`${prompt}\n`);
    const [said, talk] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { said, talk, code: child.exitCode };
  };
  expect(await say("hello")).toEqual({
    said: expect.stringContaining("Hello! I am a **scripted model**."),
    talk: expect.stringContaining("Resume with: carryon chat --session session-"),
    code: 0,
  });
  expect(await say("list the files", "--session", "latest")).toEqual({
    said: expect.stringContaining("That is what is in the folder."),
    talk: expect.stringMatching(/Restored 2 messages.*list/s),
    code: 0,
  });
});
