import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { childEnv, scriptPath, start } from "../child.ts";

const program = scriptPath("model-server/main.ts");
const scenario = "test/fixtures/scenarios/everyday.json";

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: "HEAD" })).ok;
  } catch (error) {
    // What fetch throws when nobody listens.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

it("listens on 127.0.0.1 and prints where", async () => {
  await using server = start(process.execPath, [program, scenario]);
  const url = (await server.next()) ?? "";
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await isUp(url)).toBe(true);
});

it("ends when its parent was killed", async () => {
  const command = ["-c", '"$@" & echo $!; wait', "sh", process.execPath, program, scenario];
  await using parent = start("sh", command);
  const pid = Number(await parent.next());
  const url = (await parent.next()) ?? "";
  expect(await isUp(url)).toBe(true);
  parent.kill("SIGKILL");
  try {
    await expect.poll(() => isUp(url), { timeout: 30_000 }).toBe(false);
  } finally {
    // Only a server that does not end by itself is still there.
    if (await isUp(url)) process.kill(pid);
  }
});

it("plays the newcomer's scenario without one, and says how to talk to it", async () => {
  await using server = start(process.execPath, [program]);
  const url = (await server.next()) ?? "";
  const lines = [url];
  while (!lines.at(-1)?.includes("Ctrl+C")) lines.push((await server.next()) ?? "Ctrl+C");
  expect(lines.join("\n").replaceAll(url, "URL")).toMatchInlineSnapshot(`
    "URL

    A scripted model listens there. It needs no key and costs nothing. Talk to it from another terminal:

      ANTHROPIC_BASE_URL=URL ANTHROPIC_API_KEY=anything carryon chat

    or over the protocol of OpenAI:

      OPENAI_BASE_URL=URL/v1 OPENAI_API_KEY=anything carryon chat --model openai/scripted

    What it was asked: URL/__requests. Ctrl+C ends it."
  `);
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer anything" },
    body: JSON.stringify({ model: "scripted", messages: [{ role: "user", content: "Hello!" }] }),
  });
  expect(await response.text()).toContain("I am a **scripted model**.");
  server.kill("SIGINT");
  expect(await server.ended()).toBe("SIGINT");
});

it("explains itself", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--help"], { env: childEnv });
  expect(stdout).toContain("Usage: npm run model-server -- [options] [SCENARIO]");
});

it("refuses more than one scenario", async () => {
  const running = promisify(execFile)(process.execPath, [program, scenario, scenario], { env: childEnv });
  await expect(running).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("Usage:"),
  });
});
