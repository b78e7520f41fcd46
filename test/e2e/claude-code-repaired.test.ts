import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { breakages, middleOf } from "../support/broken-transcripts.ts";
import { installClient } from "../support/clients/install-client.ts";
import { openClaude } from "../support/clients/open-claude.ts";
import { runOn } from "../support/machine.ts";
import { openModelServer, type SeenRequest } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launcher } from "../support/test-context.ts";

const version = "2.1.325";

beforeAll(() => installClient("claude-code", version));

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}

/** Returns what people, the model and tools said in a request, without what the client tells the model of itself. */
function talkOf(request: SeenRequest | undefined): readonly unknown[] {
  const body = request?.body as { readonly messages: readonly { role: string; content: string | Block[] }[] };
  return body.messages
    .filter(({ role }) => role !== "system")
    .flatMap(({ role, content }) =>
      (typeof content === "string" ? [{ type: "text", text: content }] : content)
        .filter(({ text = "" }) => !/^\s*<system-reminder>/.test(text))
        .map(({ type, text, content: result }) => ({
          role,
          type,
          text: text?.trim(),
          result: JSON.stringify(result),
        })),
    );
}

/** Returns a transcript as that of another session, with rows of its own. */
function copyAs(id: string, text: string): string {
  const ids = new Set(text.match(/(?<="uuid":")[0-9a-f-]{36}/g));
  const own = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? "";
  return [...ids].reduce((copy, uuid) => copy.replaceAll(uuid, randomUUID()), text.replaceAll(own, id));
}

/** The first of each kind, and a file of which nothing is left. */
const kinds = breakages.filter(
  ({ fault, name }, at) =>
    name === "nothing but NUL bytes" || breakages.findIndex((each) => each.fault === fault) === at,
);

/** Takes the result of a call out of a transcript, as if what follows had always followed the call. */
function loseResult(lines: readonly string[]): string {
  const { rows, call, result } = middleOf(lines);
  const [lost, parent] = [String(rows[result]?.uuid), String(rows[call]?.uuid)];
  return lines.flatMap((line, at) => (at === result ? [] : `${line.replaceAll(lost, parent)}\n`)).join("");
}

it("resumes each repaired session with everything that was said", async () => {
  await using dir = await tempDir();
  await using server = await openModelServer(readScenario("everyday"));
  await using claude = await openClaude({ version, server });
  const env = { CARRYON_HOME: dir.path, HOME: claude.home };
  const machine = { cwd: claude.cwd, path: process.env.PATH ?? "", env };
  const carryon = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runOn(machine, process.execPath, [launcher, ...args]);
    expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
    return stdout;
  };
  const { result } = await claude.run("make the hello file", ["--allowedTools", "Bash Write"]);
  const first = result?.session_id ?? "";
  await claude.run("go on", ["--resume", first]);
  const path = await claude.locateTranscript(first);
  const text = await readFile(path, "utf8");
  const copies = kinds.map((kind) => ({ ...kind, id: randomUUID() }));
  const place = (id: string) => join(dirname(path), `${id}.jsonl`);
  for (const { id } of copies) await writeFile(place(id), copyAs(id, text));
  await carryon("import", "claude-code");
  const request = async (id: string) => {
    const { exit, stderr } = await claude.run("once more", ["--resume", id]);
    expect([exit, stderr]).toEqual([0, ""]);
    return talkOf(server.requests.findLast(({ method }) => method === "POST"));
  };
  const whole = await request(first);
  for (const { id, damage } of copies) {
    const lines = (await readFile(place(id), "utf8")).trimEnd().split("\n");
    await writeFile(place(id), damage(lines));
  }
  const unknown = randomUUID();
  await writeFile(place(unknown), loseResult(copyAs(unknown, text).trimEnd().split("\n")));
  await carryon("repair", "--client", "claude-code", "--install");
  for (const { id, name } of copies) expect({ name, talk: await request(id) }).toEqual({ name, talk: whole });
  // Of this one the store has nothing: the model is told that there is no result.
  const closed = JSON.stringify(await request(unknown));
  expect(closed).toContain("No result was recorded");
  expect(closed.match(/"tool_use"/g)).toHaveLength(2);
  const { revised, ...report } = JSON.parse(await carryon("sync", "--json"));
  expect(report).toMatchObject({
    ...{ rejected: [], orphans: [], failed: [], sessions: 1 },
  });
  // The client reads a separator as it is: that file was not replaced, and has another text now.
  const separated = copies.find(({ fault }) => fault === "line-separator");
  expect(revised).toMatchObject([{ session: separated?.id, kept: "first" }]);
});
