import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:net";
import { inspect } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { parseSessionId } from "../../../src/conversation/ids.ts";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import { toStoreError } from "../../../src/storage/postgres/postgres-errors.ts";
import { newSession, said } from "../../support/entries.ts";

const key = new Uint8Array(32).fill(7);
const password = "s3cret-pass";

/** Starts a server of another kind on a free port: it does with each connection what it is told. */
async function listen(
  onConnection: Parameters<typeof createServer>[1],
): Promise<Server & { readonly port: number }> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return Object.assign(server, { port: typeof address === "object" && address !== null ? address.port : 0 });
}

async function openAt(port: number): Promise<unknown> {
  return openPostgres(`postgres://me:${password}@127.0.0.1:${port}/x`, key).catch((error: unknown) => error);
}

describe("a store that cannot be reached", () => {
  it("is named when nothing listens there", async () => {
    const server = await listen(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const error = await openAt(server.port);
    expect(error).toMatchObject({
      code: "store-unreachable",
      message: expect.stringContaining("nothing listens there"),
    });
    expect(inspect(error, { depth: 20 })).not.toContain(password);
  });

  it("is given up when it accepts the connection and says nothing", async () => {
    const server = await listen(() => undefined);
    const error = await openAt(server.port);
    server.close();
    expect(error).toMatchObject({ code: "store-unreachable", kind: "busy" });
    expect(inspect(error, { depth: 20 })).not.toContain(password);
  });

  it("is named when something else answers, or the connection breaks", async () => {
    const other = await listen((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const broken = await listen((socket) => void socket.resetAndDestroy());
    for (const server of [other, broken]) {
      const error = await openAt(server.port);
      server.close();
      expect(error).toMatchObject({ kind: "busy", code: "store-unreachable" });
      expect(inspect(error, { depth: 20 })).not.toContain(password);
    }
  });
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
  const schema = `test_${randomBytes(6).toString("hex")}`;
  const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgres(inject("postgresUrl"), key, schema)));
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
