import { inspect } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { usualDeadlines } from "../../../src/storage/postgres/deadlines.ts";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import { toStoreError } from "../../../src/storage/postgres/postgres-errors.ts";
import { newSession, said } from "../../support/entries.ts";
import { behaviours, findClosedPort, hangAt, listen, refusePasswords } from "../../support/fake-server.ts";
import { makeName, openDatabase } from "../../support/postgres-database.ts";
import { patientDeadlines } from "../../support/store-address.ts";

const key = new Uint8Array(32).fill(7);
const password = "s3cret-pass";

/** Tries to open a store at a port and returns the error, in which there must be no password. */
async function openAt(port: number, mode = "disable"): Promise<unknown> {
  const address = `postgres://me:${password}@127.0.0.1:${port}/postgres?sslmode=${mode}`;
  const error = await openPostgres(address, key, undefined, longQuestions).catch((reason: unknown) => reason);
  expect(inspect(error, { depth: 20 })).not.toContain(password);
  return error;
}

/** A question may take longer than a test: opening has an end of its own. */
const longQuestions = { ...usualDeadlines, statementMs: 3_600_000, queryMs: 3_600_000 };

const unreachable = (reason: string) => ({
  kind: "busy",
  code: "store-unreachable",
  message: expect.stringContaining(reason),
});
const refused = (reason: string) => ({
  kind: "config",
  code: "store-refused",
  message: expect.stringContaining(reason),
});

describe("a store that cannot be opened", () => {
  it("is named when nothing listens there", async () => {
    expect(await openAt(await findClosedPort())).toMatchObject(unreachable("nothing listens there"));
  });

  it.concurrent.each([
    { when: "accepts the connection and says nothing", behaviour: behaviours.saysNothing },
    { when: "is asked for TLS and says nothing", behaviour: behaviours.saysNothing, mode: "require" },
    { when: "promises TLS and says nothing", behaviour: behaviours.promisesTls, mode: "require" },
    { when: "lets us in and says nothing", behaviour: behaviours.answersNothing },
  ])("is given up when it $when", async ({ behaviour, mode }) => {
    await using server = await listen(behaviour);
    expect(await openAt(server.port, mode)).toMatchObject(unreachable("it did not answer in time"));
  });

  it("is given up when it hangs at a later question of opening", async () => {
    await using database = await openDatabase();
    await (await openPostgres(database.url, key, undefined, patientDeadlines))[Symbol.asyncDispose]();
    await using server = await listen(hangAt("carryon_version"));
    const through = new URL(database.url);
    through.port = String(server.port);
    await expect(openPostgres(through.href, key, undefined, longQuestions)).rejects.toMatchObject(
      unreachable("it did not answer in time"),
    );
  });

  it.each([
    { when: "hangs up", behaviour: behaviours.hangsUp, error: unreachable("") },
    { when: "is something else", behaviour: behaviours.speaksHttp, error: unreachable("") },
    {
      when: "knows no TLS",
      behaviour: behaviours.knowsNoTls,
      mode: "require",
      error: refused("it offers no TLS"),
    },
    {
      when: "takes another password",
      behaviour: refusePasswords(() => undefined),
      error: refused("the password is wrong"),
    },
  ])("is named when it $when", async ({ behaviour, mode, error }) => {
    await using server = await listen(behaviour);
    expect(await openAt(server.port, mode)).toMatchObject(error);
  });

  it("is named when it wants a password and there is none", async () => {
    await using server = await listen(behaviours.wantsPassword);
    const opening = openPostgres(`postgres://me@127.0.0.1:${server.port}/x`, key);
    await expect(opening).rejects.toMatchObject(refused("the password is missing"));
  });
});

it("sends the password that a percent-encoded one stands for", async () => {
  const given: string[] = [];
  await using server = await listen(refusePasswords((each) => given.push(each)));
  const address = `postgres://me:${encodeURIComponent("p@s/s:w#rd?%")}@127.0.0.1:${server.port}/x`;
  await expect(openPostgres(address, key)).rejects.toMatchObject(refused("the password is wrong"));
  expect(given).toEqual(["p@s/s:w#rd?%"]);
});

it.each([
  ["28P01", { kind: "config", code: "store-refused" }],
  ["3D000", { kind: "config", code: "store-refused" }],
  ["53100", { kind: "io", code: "store-full" }],
  ["25006", { kind: "io", code: "store-read-only" }],
  ["25P03", { kind: "busy", code: "store-unreachable" }],
  ["53300", { kind: "busy", code: "store-busy" }],
  ["57014", { kind: "busy", code: "store-busy" }],
  ["57P01", { kind: "busy", code: "store-unreachable" }],
  ["57P02", { kind: "busy", code: "store-unreachable" }],
  ["57P03", { kind: "busy", code: "store-unreachable" }],
  ["58030", { kind: "io", code: "store-failed" }],
])("says who has to act when the server answers %s", (state, expected) => {
  const error = Object.assign(new Error("the server's words"), { code: state, severity: "ERROR" });
  expect(toStoreError(error, "h:1/x")).toMatchObject(expected);
});

it("keeps the order of writers on several connections", async () => {
  const schema = makeName();
  const stores = await Promise.all(
    [1, 2, 3, 4].map(() => openPostgres(inject("postgresUrl"), key, schema, patientDeadlines)),
  );
  const [first] = stores;
  if (first === undefined) throw new Error("No store was opened.");
  const { id } = await first.projects.recognise({ identities: ["path:/x"], name: "x" });
  const session = parseSessionId("shared");
  await Promise.all(stores.map((store) => store.log.open(newSession("shared", id))));
  const writes = stores.flatMap((store, who) =>
    Array.from({ length: 15 }, (_, index) =>
      store.log.append(session, [said(`w${who}-${index}`, `text ${who} ${index}`)]),
    ),
  );
  const seqs = (await Promise.all(writes)).map((receipts) => receipts[0]?.seq ?? 0);
  expect(seqs.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  expect(await first.log.verify(session)).toMatchObject({ entries: 60, problem: null });
  for (const store of stores) await store[Symbol.asyncDispose]();
});

it.each([
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is that of another host"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "this machine does not know who signed its certificate"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "this machine does not know who signed its certificate"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "the TLS connection failed"],
])("says what is wrong with TLS when Node says %s", (code, reason) => {
  const error = Object.assign(new Error("the words of Node"), { code });
  expect(toStoreError(error, "h:1/x")).toMatchObject(refused(reason));
});
