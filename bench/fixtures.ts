import { join } from "node:path";
import type { SessionId } from "../src/sessions/ids.ts";
import { openStore, type Store } from "../src/storage/open-store.ts";
import { BareSqlite } from "./bare-sqlite.ts";
import { bodyText, fill, makeMessage, openSession } from "./workload.ts";

/** A store with one session of a known length. */
export interface FilledStore {
  readonly store: Store;
  readonly session: SessionId;
}

/**
 * How many other messages come first into every store and bare table.
 *
 * After them the write-ahead log has its full size and is written over: a log that still grows costs more per commit,
 * and would make a short session look dearer than it is.
 */
const settlingMessages = 3000;

/** Makes stores and bare tables on demand, and closes them all. */
export class Fixtures implements AsyncDisposable {
  readonly #folder: string;
  readonly #long: number;
  readonly #closing: (() => unknown)[] = [];
  #longStore: Promise<FilledStore> | undefined;
  #count = 0;

  constructor(folder: string, long: number) {
    this.#folder = folder;
    this.#long = long;
  }

  /** Returns the store with the long session; figures share it, because filling it takes a while. */
  longStore(): Promise<FilledStore> {
    this.#longStore ??= this.store(this.#long);
    return this.#longStore;
  }

  async store(length: number): Promise<FilledStore> {
    const store = await this.emptyStore();
    await fill(store, await openSession(store, "settling"), settlingMessages);
    const session = await openSession(store, "measured");
    await fill(store, session, length);
    return { store, session };
  }

  async emptyStore(): Promise<Store> {
    const store = await openStore(this.newPath("home"));
    this.#closing.push(() => store[Symbol.asyncDispose]());
    return store;
  }

  bare(length: number): BareSqlite {
    const bare = new BareSqlite(this.newPath("bare"));
    this.#closing.push(() => bare[Symbol.dispose]());
    bare.fill(settlingMessages + length, () => bodyText(makeMessage()));
    return bare;
  }

  /** Has something closed at the end. */
  keep<Item extends Disposable>(item: Item): Item {
    this.#closing.push(() => item[Symbol.dispose]());
    return item;
  }

  /** Returns a path that nothing has used. */
  newPath(name: string): string {
    this.#count += 1;
    return join(this.#folder, `${this.#count}-${name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closing.toReversed()) await close();
  }
}
