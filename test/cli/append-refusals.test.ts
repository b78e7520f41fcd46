import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { inputOf, testContext } from "../support/test-context.ts";

const said = (text: string, extra: object = {}) => ({ role: "user", text, ...extra });

/** Appends to a store in a folder and returns the exit code, what was said, and the texts of the session, if there is one. */
async function append(folder: string, input: AsyncIterable<Uint8Array>, ...args: readonly string[]) {
  const context = testContext(folder, { input });
  const code = await runCli(["append", ...args], context);
  const reading = testContext(folder);
  const read = await runCli(["show", "latest", "--json"], reading);
  if (read !== 0) return { code, err: context.said.err, texts: "no session" };
  const { entries } = JSON.parse(reading.said.out);
  const parts = entries.flatMap((entry: { parts?: readonly { text: string }[] }) => entry.parts ?? []);
  return { code, err: context.said.err, texts: parts.map((part: { text: string }) => part.text) };
}

/** Yields one line of about so many bytes. */
async function* longLine(bytes: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(1_000_000, "x");
  yield Buffer.from('{"role":"user","text":"');
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  yield Buffer.from('"}\n');
}

describe("a line with a parent that is not there", () => {
  const input = () => inputOf(said("one"), said("two", { parent: "nope" }), said("three"));

  it("is refused by its number, after those before it are saved", async () => {
    await using dir = await tempDir();
    expect(await append(dir.path, input())).toEqual({
      code: 2,
      err:
        "carryon: Line 2 was refused: Its parent nope is not in the session. " +
        "The entry before it is saved, the rest of the input is not.\n" +
        "  Name an entry that is stored before it, or leave the parent out.\n",
      texts: ["one"],
    });
  });

  it("is skipped with --keep-going", async () => {
    await using dir = await tempDir();
    expect(await append(dir.path, input(), "--keep-going")).toEqual({
      code: 2,
      err:
        "carryon: Line 2 was skipped: Its parent nope is not in the session.\n" +
        "carryon: 1 line could not be appended; all others are saved.\n",
      texts: ["one", "three"],
    });
  });
});

describe("a new session", () => {
  it.each([
    { case: "no line", input: [], args: [], code: 0 },
    { case: "lines that the log refuses only", input: [said("x", { parent: "nope" })], args: [], code: 2 },
    {
      case: "skipped lines only",
      input: [said("x", { parent: "nope" }), []],
      args: ["--keep-going"],
      code: 2,
    },
  ])("is not made for $case, so that `latest` is the one before", async ({ input, args, code }) => {
    await using dir = await tempDir();
    expect(await append(dir.path, inputOf(...input), ...args)).toMatchObject({ code, texts: "no session" });
    await append(dir.path, inputOf(said("before")));
    expect(await append(dir.path, inputOf(...input), ...args)).toMatchObject({ code, texts: ["before"] });
  });

  it("is made with the first line that is accepted", async () => {
    await using dir = await tempDir();
    const input = inputOf(said("x", { parent: "nope" }), said("first"), said("second"));
    expect(await append(dir.path, input, "--keep-going")).toMatchObject({
      code: 2,
      texts: ["first", "second"],
    });
  });
});

describe("what is said of the lines before a bad one", () => {
  it("is that no entry was saved when there are none", async () => {
    await using dir = await tempDir();
    const hint = '  Write {"role":"user","text":"…"}, or a whole entry as in docs/formats/entry.md.\n';
    expect(await append(dir.path, inputOf({ role: "user" }, said("two")))).toEqual({
      code: 2,
      err: `carryon: Line 1 was refused: It is not an entry: text is missing. No entry was saved.\n${hint}`,
      texts: "no session",
    });
    expect(await append(dir.path, inputOf([]), "--keep-going")).toEqual({
      code: 2,
      err:
        "carryon: Line 1 was skipped: It is not an entry: it must be an object.\n" +
        "carryon: 1 line could not be appended; no entry was saved.\n",
      texts: "no session",
    });
  });
});

describe("a long line", () => {
  it("is taken when it has more than 8 MB", async () => {
    await using dir = await tempDir();
    const { code, texts } = await append(dir.path, longLine(9_000_000));
    expect([code, [...texts].map((text: string) => text.length)]).toEqual([0, [9_000_000]]);
  });

  it("is refused with the limit in words from 64 MB on", async () => {
    await using dir = await tempDir();
    expect(await append(dir.path, longLine(64_000_000))).toEqual({
      code: 2,
      err:
        "carryon: Line 1 was refused: It is longer than the limit of 64 MB. No entry was saved.\n" +
        "  Mend the line, or skip bad lines with --keep-going.\n",
      texts: "no session",
    });
  });
});

it("a session that had ended is open again while it is written to, although the clock was set back", async () => {
  await using dir = await tempDir();
  await append(dir.path, inputOf(said("one")));
  const statuses: string[] = [];
  const acknowledged = Promise.withResolvers<void>();
  const look = async () => {
    const context = testContext(dir.path);
    await runCli(["sessions", "--json"], context);
    statuses.push(JSON.parse(context.said.out).sessions[0].status);
  };
  async function* input() {
    yield* inputOf(said("two"));
    await acknowledged.promise;
    await look();
  }
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const context = testContext(dir.path, {
    input: input(),
    clock: { now: () => anHourAgo },
    out: (text) => {
      if (text.includes('"seq"')) acknowledged.resolve();
    },
  });
  const code = await runCli(["append", "--session", "latest"], context);
  await look();
  expect([code, statuses]).toEqual([0, ["open", "ended"]]);
});
