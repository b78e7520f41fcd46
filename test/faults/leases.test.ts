import { once } from "node:events";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const line = (words: string) => `${JSON.stringify({ role: "user", text: words })}\n`;

/** A `carryon append` that waits for its next line. */
async function startAppend(carryon: Carryon, args: readonly string[] = [], env = {}) {
  const child = carryon.start(["append", ...args], { env });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const stderr = text(child.stderr);
  // A writer that has stopped does not listen any more.
  child.stdin.on("error", () => undefined);
  const next = async () => JSON.parse((await answers.next()).value ?? "null");
  const say = (words: string) => {
    child.stdin.write(line(words));
    return next();
  };
  const { session }: { session: string } = await next();
  return {
    ...{ pid: child.pid, session, say },
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
      return { code: child.exitCode ?? child.signalCode, stderr: await stderr };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await this.ended();
    },
  };
}

async function see(carryon: Carryon) {
  const { sessions } = JSON.parse(await carryon.ask(["sessions", "--json"]));
  const { status, writer } = sessions[0];
  return { status, writer };
}

async function readTexts(carryon: Carryon): Promise<readonly string[]> {
  const { entries } = JSON.parse(await carryon.ask(["show", "latest", "--json"]));
  return entries.map(
    (entry: { event?: string; parts?: { text: string }[] }) => entry.event ?? entry.parts?.[0]?.text,
  );
}

describe("a session that a process writes", () => {
  it("is refused to a second writer, which is told who has it and how to fork", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    const refused = await carryon.run(["append", "--session", "latest"], { input: line("two") });
    const who = `carryon append (process ${first.pid} on ${hostname()})`;
    const id = "session-00000000-000000-0001";
    expect(refused).toEqual({
      code: 4,
      stdout: "",
      stderr: [
        `carryon: Session ${id} is being written by ${who}.`,
        `  Go on in a fork: \`carryon fork ${id}\``,
        `  Or ask the other writer to stop: \`carryon sessions --take-over ${id}\``,
        "",
      ].join("\n"),
    });
    expect(await see(carryon)).toEqual({
      status: "open",
      writer: {
        program: "carryon append",
        pid: first.pid,
        host: hostname(),
        since: expect.stringMatching(/Z$/),
      },
    });
    expect(await first.say("three")).toMatchObject({ seq: 2 });
  });

  it("can be forked, named and tagged, but not deleted or cleaned", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    await carryon.ask(["rename", first.session, "Named meanwhile"]);
    await carryon.ask(["tag", first.session, "kept"]);
    const fork = (await carryon.ask(["fork", first.session])).trim();
    await carryon.ask(["append", "--session", fork], [{ role: "user", text: "in the fork" }]);
    expect(await carryon.call(["delete", first.session, "--yes"])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("is being written by"),
    });
    await carryon.ask(["delete", fork, "--yes"]);
    expect(await carryon.call(["clean", "--older-than", "0s", "--yes"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "There is nothing to clean.\n",
    });
    await first.say("two");
    expect(await readTexts(carryon)).toEqual(["one", "titled", "tagged", "two"]);
  });

  it("is interrupted when its writer is killed, and goes on at once", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    first.kill("SIGKILL");
    await first.ended();
    expect(await see(carryon)).toEqual({ status: "interrupted", writer: null });
    await carryon.ask(["append", "--session", "latest"], [{ role: "user", text: "two" }]);
    expect(await see(carryon)).toEqual({ status: "ended", writer: null });
    expect(await readTexts(carryon)).toEqual(["one", "two", "ended"]);
  });

  it("keeps a backup from being restored, unless with --force, after which its writer is told", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    await carryon.ask(["backup", "copy.db"]);
    await first.say("two");
    const id = "session-00000000-000000-0001";
    expect(await carryon.call(["restore", "copy.db", "--yes"])).toEqual({
      code: 4,
      stdout: "",
      stderr: [
        `carryon: Session ${id} is being written by carryon append (process ${first.pid} on ${hostname()}).`,
        `  Nothing was restored. Ask the writer to stop: \`carryon sessions --take-over ${id}\``,
        "  Or say --force: what it wrote stays in the file that is kept, and it can add nothing more.",
        "",
      ].join("\n"),
    });
    expect(await readTexts(carryon)).toEqual(["one", "two"]);
    expect(await carryon.call(["restore", "copy.db", "--yes", "--force"])).toMatchObject({ code: 0 });
    await first.say("three");
    expect(await first.ended()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("was put back to an older state while it was being written"),
    });
    expect(await readTexts(carryon)).toEqual(["one"]);
    expect(await see(carryon)).toEqual({ status: "interrupted", writer: null });
  });

  it("is free when its writer has ended", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    expect(await see(carryon)).toEqual({ status: "ended", writer: null });
    expect(await carryon.call(["sessions", "--take-over", "latest"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Nobody was writing session session-00000000-000000-0001\n",
    });
  });
});

describe("sessions --take-over", () => {
  it("asks a living writer to stop", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    const { code, stdout } = await carryon.call(["sessions", "--take-over", "latest", "--json"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '{"session":"session-00000000-000000-0001","writer":"stopped"}\n',
    });
    expect(await first.ended()).toEqual({ code: 143, stderr: "" });
    expect(await readTexts(carryon)).toEqual(["one", "interrupted"]);
  });

  it("records that a session was interrupted by the death of its writer", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    first.kill("SIGKILL");
    await first.ended();
    const { code, stderr } = await carryon.call(["sessions", "--take-over", "latest"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `carryon append (process ${first.pid} on ${hostname()}) is gone. Session session-00000000-000000-0001 can be written again.\n`,
    });
    expect(await readTexts(carryon)).toEqual(["one", "interrupted"]);
  });

  it("replaces a writer that was stopped for longer than its lease, and what that one has left is refused", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon, [], { CARRYON_LEASE: "1s" });
    await first.say("one");
    first.kill("SIGSTOP");
    expect(await carryon.call(["append", "--session", "latest"], { input: line("x") })).toMatchObject({
      code: 4,
    });
    const { code, stderr } = await carryon.call(["sessions", "--take-over", "latest"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("does not answer") });
    await carryon.ask(["append", "--session", "latest"], [{ role: "user", text: "two" }]);
    first.kill("SIGCONT");
    expect(await first.ended()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("was taken over by another writer"),
    });
    expect(await readTexts(carryon)).toEqual(["one", "interrupted", "two", "ended"]);
  });

  it("leaves a session to a writer that was stopped for less than its lease", async () => {
    await using carryon = await openCarryon();
    await using first = await startAppend(carryon);
    await first.say("one");
    first.kill("SIGSTOP");
    expect(await carryon.call(["sessions", "--take-over", "latest"])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("was asked to stop and has not done so yet"),
    });
    first.kill("SIGCONT");
    expect(await first.ended()).toEqual({ code: 143, stderr: "" });
    expect(await readTexts(carryon)).toEqual(["one", "interrupted"]);
  });
});

describe("CARRYON_LEASE", () => {
  it.each(["1", "0s", "2w", "soon"])("refuses %j", async (value) => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["append"], { env: { CARRYON_LEASE: value } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("CARRYON_LEASE must be a duration from 1s to 1d."),
    });
    expect(JSON.parse(await carryon.ask(["sessions", "--json"]))).toEqual({
      sessions: [],
      damaged: [],
      next: null,
    });
  });
});
