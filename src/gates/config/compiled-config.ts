import { readFileSync, statSync } from "node:fs";
import type { GateConfig } from "../gate.ts";
import { type GatePlaces, listGateFiles } from "../gate-places.ts";
import type { ReadConfig } from "./to-gate-config.ts";

/** Changes with what is written and with what the same files come to mean. */
const format = 3;

/** Two writes closer than this may have the same time: some file systems count in two seconds. */
const unsettled = 2000;

/** Which files a configuration was read from, and in which state they were. */
export interface GateSources {
  readonly key: string;
  /** The last moment at which one of them changed, in milliseconds. */
  readonly changedAt: number;
}

/**
 * Returns the state of the files that count, by which a change is known: size, inode and the times to the nanosecond. Links
 * are followed. Undefined where it cannot be told.
 */
export function readGateSources(places: GatePlaces): GateSources | undefined {
  let changedAt = 0;
  try {
    const states = listGateFiles(places).map((path) => {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return [path];
      changedAt = Math.max(changedAt, Number(stats.ctimeMs), Number(stats.mtimeMs));
      const { size, mtimeNs, ctimeNs, ino, dev } = stats;
      return [path, ...[size, mtimeNs, ctimeNs, ino, dev].map(String)];
    });
    return { key: JSON.stringify([format, places.root, states]), changedAt };
  } catch {
    // A folder on the way that is none, or may not be entered: whoever reads the files says so.
    return undefined;
  }
}

/**
 * Returns a configuration as the text of a cache, or undefined where the files changed so short a time ago that another
 * change might not be seen.
 */
export function compileGateConfig(
  { config, problems, notes }: ReadConfig,
  sources: GateSources,
  now: Date,
): string | undefined {
  if (sources.changedAt > now.getTime() - unsettled) return undefined;
  return JSON.stringify({ key: sources.key, config, problems, notes });
}

/**
 * Returns the configuration of a cache if the files are as they were when it was written, else undefined. Needs no YAML: a
 * hook reads it at every call.
 */
export function readCompiledConfig(cacheFile: string, places: GatePlaces): GateConfig | undefined {
  return readCompiled(cacheFile, readGateSources(places))?.config;
}

/** Returns the same with all that is to be said about it, and the state of the files. */
export function readWholeConfig(
  cacheFile: string,
  places: GatePlaces,
): (ReadConfig & { readonly sources: GateSources }) | undefined {
  const sources = readGateSources(places);
  const compiled = readCompiled(cacheFile, sources);
  if (sources === undefined || compiled === undefined) return undefined;
  const { config, problems, notes } = compiled;
  return { config, problems, notes, sources };
}

function readCompiled(cacheFile: string, sources: GateSources | undefined): ReadConfig | undefined {
  if (sources === undefined) return undefined;
  try {
    const cache: unknown = JSON.parse(readFileSync(cacheFile, "utf8"));
    return isCacheOf(cache, sources.key) ? cache : undefined;
  } catch {
    // None was written, or not by us: the files are read.
    return undefined;
  }
}

function isCacheOf(cache: unknown, key: string): cache is ReadConfig {
  if (typeof cache !== "object" || cache === null || !("key" in cache) || cache.key !== key) return false;
  return "config" in cache && "problems" in cache && "notes" in cache;
}
