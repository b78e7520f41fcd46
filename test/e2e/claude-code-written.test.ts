import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import type { SeenRequest } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { openRecordedClaude, type ShownEntry } from "../support/recorded-claude.ts";

const version = "2.1.325";
const flags = ["--allowedTools", "Bash Write Agent"];

beforeAll(() => installClient("claude-code", version));

type Block = Readonly<Record<string, unknown>>;

interface Said {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** Returns what people, the model and tools said in a request, without what the client tells the model of itself. */
function talkOf(request: SeenRequest | undefined): readonly unknown[] {
  const body = request?.body as { readonly messages: readonly Said[] } | undefined;
  const said = (body?.messages ?? []).filter(({ role }) => role !== "system");
  return said.flatMap(({ role, content }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content)
      .filter(({ text }) => !/^\s*<system-reminder>/.test(String(text ?? "")))
      .map((block) => ({ role, ...plainBlock(block) })),
  );
}

/** The store keeps the one text of a result as a text, and a result that is no failure without a word of it. */
function plainBlock({ cache_control: _, is_error: failed, ...block }: Block): Block {
  const [only, ...others] = Array.isArray(block.content) ? (block.content as readonly Block[]) : [];
  const isPlain = only !== undefined && others.length === 0;
  return { ...block, ...(isPlain && { content: only.text }), ...(failed === true && { is_error: true }) };
}

describe("a session that Claude Code has deleted", () => {
  it("is resumed from the store with every prompt, answer, call and result, and recorded on", async () => {
    await using shop = await openRecordedClaude(version, { scenario: () => readScenario("everyday") });
    const { claude, server } = shop;
    const { result } = await claude.run("make the hello file", flags);
    const id = result?.session_id ?? "";
    await claude.run("ask a helper", [...flags, "--resume", id]);
    await shop.carryon("sync");
    await claude.run("go on", ["--resume", id]);
    const own = talkOf(server.requests.findLast(({ method }) => method === "POST"));
    await shop.carryon("sync");

    const path = await claude.locateTranscript(id);
    await rm(join(dirname(path), id), { recursive: true });
    for (let round = 0; round < 2; round += 1) {
      await rm(path);
      expect(await shop.carryon("resume", id)).toMatch(`claude --resume=${id}\n`);
      const again = await claude.run(`once more ${round}`, ["--resume", id]);
      expect([again.exit, again.result?.session_id]).toEqual([0, id]);
      const talk = talkOf(server.requests.findLast(({ method }) => method === "POST"));
      expect(talk.slice(0, own.length)).toEqual(own);
      const { revised, rejected, orphans, failed, sessions } = JSON.parse(
        await shop.carryon("sync", "--json"),
      );
      expect({ revised, rejected, orphans, failed, sessions }).toEqual({
        ...{ revised: [], rejected: [], orphans: [] },
        failed: [],
        sessions: 0,
      });
    }
    expect(await readdir(join(dirname(path), id, "subagents"))).toHaveLength(1);
    const { sessions } = JSON.parse(await shop.carryon("sessions", "--json"));
    expect(sessions).toHaveLength(1);
    const { entries } = JSON.parse(await shop.carryon("show", id, "--json"));
    const prompts = (entries as readonly ShownEntry[]).filter(
      ({ role, strand }) => role === "user" && strand === "main",
    );
    expect(prompts.map(({ parts }) => parts?.[0]?.text)).toEqual([
      ...["make the hello file", "ask a helper", "go on", "once more 0", "once more 1"],
    ]);
  });
});
