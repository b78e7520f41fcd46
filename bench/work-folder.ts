import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Where peers are installed: `CARRYON_BENCH_PEERS`, or a folder of the checkout that git ignores. */
export const peersFolder = process.env.CARRYON_BENCH_PEERS ?? join(root, ".cache", "bench-peers");

/** A file of the checkout. */
export function inRepository(...parts: readonly string[]): string {
  return join(root, ...parts);
}

/** Makes a folder on the disk of the checkout, not in memory, where a commit would cost nothing. */
export function makeWorkFolder(): { readonly path: string } & Disposable {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const path = mkdtempSync(join(root, ".cache", "bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
