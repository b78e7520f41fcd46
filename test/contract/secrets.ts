import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { collect, newFork, newSession, said, start } from "../support/entries.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

/** A token of a code host that nobody ever had. */
const token = `ghp_${randomBytes(64)
  .toString("base64")
  .replaceAll(/[^A-Za-z0-9]/g, "")
  .slice(0, 36)}`;
const marker = expect.stringMatching(/\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]/);

/** What every engine must do about secrets. */
export function secretsContract(open: () => Promise<TestLog>): void {
  it("are never given back, whatever they came in", async () => {
    await using test = await openWithSession(open);
    const id = (text: string) => parseEntryId(text);
    const entries: NewEntry[] = [
      said("text", `the token is ${token}`),
      {
        id: id("call"),
        at: start,
        kind: "message",
        role: "assistant",
        parts: [
          {
            type: "tool-call",
            call: "c",
            name: "Bash",
            input: { command: `curl -H "Authorization: Bearer ${token}"` },
          },
        ],
      },
      {
        id: id("result"),
        at: start,
        kind: "message",
        role: "tool",
        parts: [{ type: "tool-result", call: "c", output: [`GITHUB_TOKEN=${token}`] }],
      },
      { id: id("summary"), at: start, kind: "summary", text: `used ${token}`, replaces: null },
      { id: id("round"), at: start, kind: "round", number: 1, data: { note: token } },
      { id: id("checkpoint"), at: start, kind: "checkpoint", state: { note: token } },
      { id: id("event"), at: start, kind: "event", event: "titled", data: { title: `Revoke ${token}` } },
      { id: id("other"), at: start, kind: "other", raw: { kind: "hologram", note: token } },
    ];
    await test.log.append(one, entries);
    await test.log.open(newSession("two", test.project, { title: token, cwd: `/tmp/${token}` }));
    await test.log.fork({ ...newFork("three"), title: token, cwd: `/tmp/${token}`, branch: `fix/${token}` });
    const everything = JSON.stringify([await collect(test.log.read(one)), (await test.log.list()).sessions]);
    expect(everything).not.toContain(token);
    expect(everything).toEqual(marker);
    expect((await test.log.verify(one)).problem).toBeNull();
  });

  it("do not turn a retry into a conflict, nor a conflict into a retry", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", token)]);
    expect(await test.log.append(one, [said("a", token)])).toEqual([{ seq: 1, id: "a", isNew: false }]);
    const other = `${token.slice(0, -4)}wxyz`;
    await expect(test.log.append(one, [said("a", other)])).rejects.toMatchObject({ code: "entry-conflict" });
  });

  it("take the signature of a thought with them, and leave that of a clean one", async () => {
    await using test = await openWithSession(open);
    const think = (id: string, text: string): NewEntry => ({
      ...{ id: parseEntryId(id), at: start, kind: "message", role: "assistant" },
      parts: [{ type: "thinking", text, signature: "c2lnbmF0dXJl" }],
    });
    await test.log.append(parseSessionId("one"), [think("a", "nothing to hide"), think("b", `use ${token}`)]);
    expect(
      (await collect(test.log.read(one))).map((entry) => entry.kind === "message" && entry.parts),
    ).toEqual([
      [{ type: "thinking", text: "nothing to hide", signature: "c2lnbmF0dXJl" }],
      [{ type: "thinking", text: marker }],
    ]);
  });
}
