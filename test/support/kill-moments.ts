import { channel } from "node:diagnostics_channel";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { makeRandom, type Random } from "../redaction/seeded-random.ts";
import { type Child, childEnv, scriptPath, start } from "./child.ts";
import { tempDir } from "./temp-dir.ts";

/** How many events a process had: see counted-child.ts. */
export interface EventCounts {
  readonly start: number;
  readonly work: number;
  /** Changes of files during the work. */
  readonly files: number;
}

/** The event at which a process dies: just before it, or while it happens and at most `grace` events later. */
export interface KillMoment {
  readonly phase: keyof EventCounts;
  readonly number: number;
  readonly manner: "before" | "meanwhile";
}

export const workChannel = "carryon-test-work";
export const momentVariable = "CARRYON_TEST_DIE_AT";
export const countVariable = "CARRYON_TEST_COUNT";
export const grace = 4;

/** Says that this process is through its start, and about to do what it was started for. */
export function beginWork(): void {
  channel(workChannel).publish({});
}

/** What the environment of a program on Node says so that it counts its events; all of them are those of its start. */
export const countingEnv = {
  NODE_OPTIONS: `--import=${pathToFileURL(scriptPath("counted-child.ts"))}`,
} as const;

/** Starts a script, by its name in test/support or its path, that counts its events, with something more in its environment. */
export function startCounting(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Child {
  const path = isAbsolute(script) ? script : scriptPath(script);
  return start(process.execPath, [path, ...args], { ...childEnv, ...countingEnv, ...env });
}

/** What the environment of a process says that counts its events, so that it dies at one of them. */
export function dieAt({ phase, number, manner }: KillMoment): Readonly<Record<string, string>> {
  return { [momentVariable]: `${phase} ${number} ${manner}` };
}

/** The same for an event of its work while that happens; nothing without a number. */
export function dieAtWork(number: number | undefined): Readonly<Record<string, string>> {
  return number === undefined ? {} : dieAt({ phase: "work", number, manner: "meanwhile" });
}

/** The same for shares of all its events, each of which is the start of a script that never says `beginWork`. */
export function dieAtShare({ start: events }: EventCounts, share: number): Readonly<Record<string, string>> {
  return dieAt({ phase: "start", number: Math.ceil(events * share), manner: "meanwhile" });
}

/** Lets a process run to its end that counts its events, and returns how many there were. */
export async function countEvents(
  run: (env: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<EventCounts> {
  await using dir = await tempDir();
  await run({ [countVariable]: dir.join("counts.json") });
  return JSON.parse(await readFile(dir.join("counts.json"), "utf8")) as EventCounts;
}

/** Draws moments of kills: the same ones in every run for a seed, or others each time for none. */
export class KillMoments {
  readonly seed: number;
  readonly #random: Random;

  constructor(seed = Math.floor(Math.random() * 2 ** 31)) {
    this.seed = seed;
    this.#random = makeRandom(seed);
  }

  /** Draws a whole number from 0 up to a limit. */
  number(below: number): number {
    return this.#random(below);
  }

  /** Draws one of the first events of a phase, so many. */
  draw(phase: keyof EventCounts, most: number): KillMoment {
    const manner = this.#random(2) === 0 ? "before" : "meanwhile";
    return { phase, number: 1 + this.#random(Math.max(1, Math.floor(most))), manner };
  }

  /** Draws an event of a start, early ones as often as late ones: one that makes a store has many times the events of others. */
  drawStart(): KillMoment {
    return this.draw("start", 2 ** (2 + this.#random(7)));
  }
}
