import { randomBytes } from "node:crypto";
import { describe, inject } from "vitest";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { conversationLogContract } from "../contract/conversation-log.ts";
import type { TestLog } from "../contract/test-log.ts";

const key = new Uint8Array(32).fill(7);

/** Opens a store in a schema of its own, with one project in it. */
async function openPostgresTestLog(): Promise<TestLog> {
  const schema = `test_${randomBytes(6).toString("hex")}`;
  const open = () => openPostgres(inject("postgresUrl"), key, schema);
  let store = await open();
  const { id } = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  return {
    project: id,
    get log() {
      return store.log;
    },
    get projects() {
      return store.projects;
    },
    async reopen() {
      await store[Symbol.asyncDispose]();
      store = await open();
    },
    [Symbol.asyncDispose]: async () => store[Symbol.asyncDispose](),
  };
}

describe("conversation log on PostgreSQL", () => conversationLogContract(openPostgresTestLog));
