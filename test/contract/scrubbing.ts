import { createHmac } from "node:crypto";
import { expect, it, vi } from "vitest";
import { literalPattern, regexPattern } from "../../src/redaction/text-pattern.ts";
import { sha256 } from "../../src/sessions/chain.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { tagged, titled } from "../../src/sessions/session-events.ts";
import { collect, later, newFork, newSession, said } from "../support/entries.ts";
import { patience } from "../support/process-group.ts";
import { verifyAll } from "../support/verify-all.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

/** A secret of no known form, so that nothing takes it out beforehand; JSON has to escape parts of it. */
const secret = 'corréct "horse"\nbattery';
const pattern = literalPattern(secret);
const marker = expect.stringMatching(/\[redacted:scrubbed:[0-9a-f]{8}\]/);
const nothing = {
  ...{ entries: 0, sessions: [], projectNames: 0, fixed: { sessions: 0, entries: 0, projects: 0 } },
  ...{ pending: 0, otherCase: 0, unreadable: 0, damaged: [], isUnfinished: false },
};

/** Everything that the log says. */
async function readAll({ log, projects }: TestLog) {
  const { sessions } = await log.list({ limit: 500 });
  const entries = await Promise.all(sessions.map(({ id }) => collect(log.read(id))));
  return { sessions, entries, projects: await projects.list() };
}

/** What every engine must do about secrets that are found later. */
export function scrubbingContract(open: () => Promise<TestLog>): void {
  it("takes a secret out of everything, keeps every hash, and notes it", async () => {
    await using test = await openWithSession(open);
    const { log, scrubber } = test;
    const long = `${"long ".repeat(2000)}${secret}`;
    await log.append(one, [said("a", `the pass phrase is ${secret}`), said("b", "fine"), said("c", long)]);
    const before = await collect(log.read(one));
    const head = (await log.list({ id: one })).sessions[0]?.head;
    expect(await scrubber.find(pattern)).toEqual({
      ...nothing,
      entries: 2,
      sessions: [{ session: "one", entries: 2, describedIn: ["title"] }],
    });
    expect(await collect(log.read(one))).toEqual(before);
    expect(await scrubber.replace(pattern, later(9))).toEqual({
      ...{ entries: 2, sessions: 1, projectNames: 0, damaged: [], isWiped: true },
    });
    const [a, b, c, note] = await collect(log.read(one));
    const text = (entry: typeof a) => (entry?.kind === "message" ? entry.parts[0] : undefined);
    expect([text(a), text(b), text(c)]).toEqual([
      { type: "text", text: expect.stringMatching(/^the pass phrase is \[redacted:scrubbed:[0-9a-f]{8}\]$/) },
      { type: "text", text: "fine" },
      { type: "text", text: expect.stringMatching(/^(long ){2000}\[redacted:scrubbed:[0-9a-f]{8}\]$/) },
    ]);
    const hashOf = (entry: typeof a) =>
      entry?.kind === "message" ? sha256(JSON.stringify({ role: entry.role, parts: entry.parts })) : "";
    expect(note).toMatchObject({
      ...{ kind: "event", event: "scrubbed", seq: 4, at: later(9), strand: "main", parent: "c" },
      data: {
        entries: [
          { id: "a", hash: hashOf(a) },
          { id: "c", hash: hashOf(c) },
        ],
      },
    });
    expect(await verifyAll(test)).toEqual({ one: { scrubbed: 2, problem: null } });
    expect((await log.list({ id: one })).sessions[0]).toMatchObject({
      title: marker,
      entries: 4,
      updatedAt: before[0]?.at,
    });
    expect((await log.list({ id: one })).sessions[0]?.head).not.toBe(head);
    expect(await scrubber.find(pattern)).toEqual(nothing);
    expect(await scrubber.replace(pattern, later(10))).toMatchObject({ entries: 0, sessions: 0 });
  });

  it("takes it out of whatever it stands in: titles, tags, folders, branches, names of projects", async () => {
    await using test = await open();
    const { log, projects, scrubber } = test;
    const word = "tr0ub4dor";
    const project = await projects.recognise({ identities: [`path:/${word}`], name: word });
    const start = { title: `About ${word}`, cwd: `/home/${word}`, branch: `fix/${word}` };
    await log.open(newSession("one", project.id, start));
    await log.append(one, [
      tagged(parseEntryId("t"), later(1), { add: [`is:${word}`, "fine"] }),
      titled(parseEntryId("u"), later(2), `Now ${word}`),
    ]);
    await log.open(newSession("two", project.id, { cwd: "/", branch: word }));
    await log.fork({ ...newFork("three"), title: `Fork of ${word}` });
    expect(await scrubber.find(literalPattern(word))).toEqual({
      ...nothing,
      entries: 2,
      sessions: [
        { session: "one", entries: 2, describedIn: ["title", "folder", "branch", "tags"] },
        { session: "two", entries: 0, describedIn: ["branch"] },
        { session: "three", entries: 2, describedIn: ["title"] },
      ],
      projectNames: 1,
      fixed: { sessions: 0, entries: 0, projects: 1 },
    });
    expect(await scrubber.replace(literalPattern(word), later(9))).toEqual({
      ...{ entries: 2, sessions: 3, projectNames: 1, damaged: [], isWiped: true },
    });
    const { sessions, entries } = await readAll(test);
    expect(sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      { id: "one", title: marker, cwd: marker, branch: marker, tags: ["fine"], projectName: marker },
      { id: "three", title: marker },
      { id: "two", branch: marker },
    ]);
    expect(JSON.stringify([entries, sessions.map((each) => ({ ...each, project: "" }))])).not.toContain(word);
    expect((await log.list({ titlePrefix: "now [redacted" })).sessions.map(({ id }) => id)).toEqual(["one"]);
    expect((await log.list({ tag: `is:${word}` })).sessions).toEqual([]);
    expect(await scrubber.find(literalPattern(word))).toEqual({
      ...nothing,
      fixed: { sessions: 0, entries: 0, projects: 1 },
    });
  });

  it("leaves no beginning of a secret in a title that was cut", async () => {
    await using test = await openWithSession(open);
    const long = `key-${"0123456789".repeat(8)}`;
    await test.log.append(one, [said("a", `use ${long} and nothing else`)]);
    await test.log.fork(newFork("two"));
    await test.scrubber.replace(regexPattern(String.raw`key-\d{80}`), later(1));
    const { sessions } = await test.log.list();
    const title = expect.stringMatching(/^use \[redacted:scrubbed:[0-9a-f]{8}\] and nothing else$/);
    expect(sessions.map((session) => session.title)).toEqual([title, title]);
  });

  it("says where it cannot be taken out: what things are known by", async () => {
    await using test = await open();
    const project = await test.projects.recognise({ identities: ["path:/where"], name: "x" });
    await test.log.open(newSession("has-hunter22", project.id));
    const entry: NewEntry = {
      ...said("ent-hunter22", "x"),
      kind: "other",
      raw: { kind: "hunter22", a: "hunter22" },
    };
    await test.log.append(parseSessionId("has-hunter22"), [entry]);
    const fixed = { sessions: 1, entries: 1, projects: 0 };
    expect(await test.scrubber.find(literalPattern("hunter22"))).toMatchObject({ entries: 1, fixed });
    await test.scrubber.replace(literalPattern("hunter22"), later(1));
    expect(await test.scrubber.find(literalPattern("hunter22"))).toEqual({ ...nothing, fixed });
    const [scrubbed] = await collect(test.log.read(parseSessionId("has-hunter22")));
    expect(scrubbed).toMatchObject({ id: "ent-hunter22", raw: { kind: "hunter22", a: marker } });
  });

  it("reports names that have it in another case or as a slug, and titles that keep it", async () => {
    await using test = await open();
    await test.log.open(newSession("session-my-p4ss-word", test.project, { title: "My P4ss_Word" }));
    await test.log.open(newSession("two", test.project, { title: "MY P4SS_WORD", cwd: "/" }));
    expect(await test.scrubber.find(literalPattern("My P4ss_Word"))).toEqual({
      ...nothing,
      sessions: [{ session: "session-my-p4ss-word", entries: 0, describedIn: ["title"] }],
      fixed: { sessions: 1, entries: 0, projects: 0 },
      otherCase: 1,
    });
    expect(await test.scrubber.find(regexPattern("P4ss.Word"))).toMatchObject({
      fixed: { sessions: 1, entries: 0, projects: 0 },
      otherCase: 1,
    });
  });

  it("gives up a regular expression that takes for ever", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", `${"a".repeat(60)}!`)]);
    // A busy machine may not do in this time what takes none.
    const make = () => regexPattern("(a+)+$", { deadlineMs: 200 });
    const slow = await vi.waitFor(make, patience);
    const refusal = { kind: "usage", code: "slow-pattern" };
    await expect(test.scrubber.find(slow)).rejects.toMatchObject(refusal);
    await expect(test.scrubber.replace(slow, later(1))).rejects.toMatchObject(refusal);
    expect(await test.scrubber.find(pattern)).toEqual(nothing);
  });

  it("knows an entry that comes again, and does not let it back in under another id", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    const entry = said("a", `my ${secret}`);
    await log.append(one, [entry, titled(parseEntryId("t"), later(1), "correct horse staple")]);
    await test.scrubber.replace(pattern, later(2));
    await test.scrubber.replace(literalPattern("correct horse staple"), later(3));
    expect(await log.append(one, [entry])).toEqual([{ seq: 1, id: "a", isNew: false }]);
    await expect(log.append(one, [said("a", "other")])).rejects.toMatchObject({ code: "entry-conflict" });
    await log.open(newSession("two", test.project));
    const again = titled(parseEntryId("t2"), later(4), "correct horse staple");
    await log.append(two, [said("b", `my ${secret}`), again]);
    expect(await log.append(two, [said("b", `my ${secret}`), again])).toMatchObject([
      { isNew: false },
      { isNew: false },
    ]);
    await test.reopen();
    expect(await test.scrubber.find(pattern)).toEqual(nothing);
    const all = JSON.stringify(await readAll(test));
    expect([all.includes("battery"), all.includes("correct horse staple")]).toEqual([false, false]);
    expect(await verifyAll(test)).toEqual({
      one: { scrubbed: 2, problem: null },
      two: { scrubbed: 0, problem: null },
    });
  });

  it("can be done again with another pattern, and what comes again gets what stands there then", async () => {
    await using test = await openWithSession(open);
    const text = "alpha-one and beta-two";
    await test.log.append(one, [said("a", text)]);
    await test.scrubber.replace(literalPattern("alpha-one"), later(1));
    await test.log.append(one, [said("b", text)]);
    await test.scrubber.replace(literalPattern("beta-two"), later(2));
    await test.log.append(one, [said("c", text), said("a", text), said("b", text)]);
    const messages = (await collect(test.log.read(one))).filter((entry) => entry.kind === "message");
    const both = expect.stringMatching(/^\[redacted:scrubbed:\w{8}\] and \[redacted:scrubbed:\w{8}\]$/);
    expect(messages.map(({ id, parts }) => [id, parts])).toEqual(
      ["a", "b", "c"].map((id) => [id, [{ type: "text", text: both }]]),
    );
    expect(await verifyAll(test)).toEqual({ one: { scrubbed: 2, problem: null } });
  });

  it("gives one secret the same marker everywhere, under the key of the store", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "say hunter22"), said("b", "hunter22!")]);
    await test.scrubber.replace(literalPattern("hunter22"), later(1));
    const digits = JSON.stringify(await collect(test.log.read(one))).match(/scrubbed:[0-9a-f]{8}/g);
    expect(new Set(digits).size).toBe(1);
    const guessed = createHmac("sha256", Buffer.alloc(32)).update("hunter22").digest("hex").slice(0, 8);
    expect(digits?.[0]).not.toBe(`scrubbed:${guessed}`);
  });
}
