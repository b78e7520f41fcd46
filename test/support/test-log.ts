import { openStore, type Store } from "../../src/storage/open-store.ts";
import type { TestLog } from "../contract/test-log.ts";
import { tempDir } from "./temp-dir.ts";

/** Makes a log for tests of a way to open its store, with one project in it; its folder is gone with it. */
export async function openTestLog(open: () => Promise<Store>, folder?: AsyncDisposable): Promise<TestLog> {
  let store = await open();
  const { id } = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  return {
    project: id,
    get log() {
      return store.log;
    },
    get leases() {
      return store.leases;
    },
    get projects() {
      return store.projects;
    },
    get scrubber() {
      return store.scrubber;
    },
    get search() {
      return store.search;
    },
    get digests() {
      return store.digests;
    },
    get ingestion() {
      return store.ingestion;
    },
    get replica() {
      return store.replica;
    },
    async reopen() {
      await store[Symbol.asyncDispose]();
      store = await open();
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

/** Opens a store on SQLite in a folder of its own, with one project in it. */
export async function openSqliteTestLog(): Promise<TestLog> {
  const dir = await tempDir();
  return openTestLog(() => openStore(dir.join("home")), dir);
}
