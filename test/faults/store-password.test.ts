import { describe, expect, it } from "vitest";
import { behaviours, findClosedPort, listen, refusePasswords } from "../support/fake-server.ts";
import { openDatabase } from "../support/postgres-database.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const password = "s3cr/t p@ss";
const encoded = encodeURIComponent(password);

/** Every way in which a failure is told. */
const tellings: readonly {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}[] = [
  { args: ["sessions"], env: {} },
  { args: ["sessions"], env: { CARRYON_DEBUG: "1" } },
  { args: ["show", "latest", "--json"], env: { CARRYON_DEBUG: "1" } },
  { args: ["append"], env: { CARRYON_DEBUG: "1" } },
  { args: ["doctor"], env: { CARRYON_DEBUG: "1" } },
  { args: ["doctor", "--json"], env: { CARRYON_DEBUG: "1" } },
];

/** Tells a failure in every way, and returns the exit codes and whether a password was in any of it. */
async function tell(carryon: Carryon, place: string) {
  const CARRYON_STORE = `postgres://me:${encoded}@${place}`;
  // One is the program itself, which must also end; the others are told by the same code.
  const runs = await Promise.all(
    tellings.map(({ args, env }, index) =>
      carryon[index === 0 ? "run" : "call"](args, { env: { ...env, CARRYON_STORE } }),
    ),
  );
  const said = runs.map(({ stdout, stderr }) => `${stdout}${stderr}`);
  return {
    codes: runs.map(({ code }) => code),
    silent: said.filter((text) => text === ""),
    leaks: said.filter((text) => text.includes(password) || text.includes(encoded)),
    reason: runs[0]?.stderr.replaceAll(/:\d+\//g, ":<port>/").split("\n")[0],
  };
}

/** `doctor` reports what it found and exits with 74; the others exit with the code of the failure. */
const codes = (code: number) => [code, code, code, code, 74, 74];

describe("no output holds the password", () => {
  it("when it is wrong", async () => {
    await using carryon = await openCarryon();
    await using server = await listen(refusePasswords(() => undefined));
    expect(await tell(carryon, `127.0.0.1:${server.port}/x`)).toEqual({
      ...{ codes: codes(3), silent: [], leaks: [] },
      reason: "carryon: The store 127.0.0.1:<port>/x refused the connection: the password is wrong.",
    });
  });

  it("when the host is not known", async () => {
    await using carryon = await openCarryon();
    expect(await tell(carryon, "no..host/x")).toEqual({
      ...{ codes: codes(75), silent: [], leaks: [] },
      reason: "carryon: The store no..host:<port>/x cannot be reached: its host is not known.",
    });
  });

  it("when nothing listens at the port", async () => {
    await using carryon = await openCarryon();
    expect(await tell(carryon, `127.0.0.1:${await findClosedPort()}/x`)).toEqual({
      ...{ codes: codes(75), silent: [], leaks: [] },
      reason: "carryon: The store 127.0.0.1:<port>/x cannot be reached: nothing listens there.",
    });
  });

  it("when there is no such database", async () => {
    await using carryon = await openCarryon();
    await using database = await openDatabase();
    const { username, host } = new URL(database.url);
    const env = {
      CARRYON_STORE: `postgres://${username}:${encoded}@${host}/no_such_database`,
      CARRYON_DEBUG: "1",
    };
    const { code, stdout, stderr } = await carryon.run(["sessions"], { env });
    expect({ code, stdout, first: stderr.split("\n")[0] }).toEqual({
      ...{ code: 3, stdout: "" },
      first: `carryon: The store ${host}/no_such_database refused the connection: there is no such database.`,
    });
    expect(stderr).not.toContain(encoded);
    expect(stderr).not.toContain(password);
  });

  it.each([
    { when: "says nothing", behaviour: behaviours.saysNothing },
    { when: "lets us in and says nothing", behaviour: behaviours.answersNothing },
  ])("when the server $when", async ({ behaviour }) => {
    await using carryon = await openCarryon();
    await using server = await listen(behaviour);
    expect(await tell(carryon, `127.0.0.1:${server.port}/x`)).toEqual({
      ...{ codes: codes(75), silent: [], leaks: [] },
      reason: "carryon: The store 127.0.0.1:<port>/x cannot be reached: it did not answer in time.",
    });
  });

  it("when the server knows no TLS, nor when to hang up", async () => {
    await using carryon = await openCarryon();
    await using server = await listen(behaviours.knowsNoTls);
    expect(await tell(carryon, `127.0.0.1:${server.port}/x?sslmode=require`)).toEqual({
      ...{ codes: codes(3), silent: [], leaks: [] },
      reason:
        "carryon: The store 127.0.0.1:<port>/x refused the connection: it offers no TLS (`?sslmode=disable` does without, on a network that is safe already).",
    });
  });

  it("when a character of it was not percent-encoded", async () => {
    await using carryon = await openCarryon();
    const env = { CARRYON_STORE: "postgres://me:12/s3cret@db/x", CARRYON_DEBUG: "1" };
    const { code, stderr } = await carryon.run(["sessions"], { env });
    expect([code, stderr.includes("12/"), stderr.includes("s3cret")]).toEqual([3, false, false]);
  });
});
