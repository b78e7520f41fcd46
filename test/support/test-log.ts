import { openStore } from "../../src/storage/open-store.ts";
import type { TestLog } from "../contract/test-log.ts";
import { tempDir } from "./temp-dir.ts";

/** Opens a store on SQLite in a folder of its own, with one project in it. */
export async function openSqliteTestLog(): Promise<TestLog & { readonly home: string }> {
  const dir = await tempDir();
  const home = dir.join("home");
  let store = await openStore(home);
  const { id } = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  return {
    home,
    project: id,
    get log() {
      return store.log;
    },
    get projects() {
      return store.projects;
    },
    async reopen() {
      await store[Symbol.asyncDispose]();
      store = await openStore(home);
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
