import { channel } from "node:diagnostics_channel";
import { readFile } from "node:fs/promises";
import { makeRandom, type Random } from "../lib/redaction/seeded-random.ts";
import { type Child, childEnv, scriptPath, start } from "./child.ts";
import { tempDir } from "./temp-dir.ts";

/** How many events a process had: see counted-child.ts. */
export interface EventCounts {
  readonly start: number;
  readonly work: number;
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

/** The arguments of Node with which a process counts its events. */
const countingArgs = ["--import", scriptPath("counted-child.ts")] as const;

/** Starts a script of test/support that counts its events, with something more in its environment. */
export function startCounting(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Child {
  return start(process.execPath, [...countingArgs, scriptPath(script), ...args], { ...childEnv, ...env });
}

/** What the environment of a process says that counts its events, so that it dies at one of them. */
export function dieAt({ phase, number, manner }: KillMoment): Readonly<Record<string, string>> {
  return { [momentVariable]: `${phase} ${number} ${manner}` };
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

  /** Draws one of the first events of a phase, so many. */
  draw(phase: keyof EventCounts, most: number): KillMoment {
    const manner = this.#random(2) === 0 ? "before" : "meanwhile";
    return { phase, number: 1 + this.#random(Math.max(1, Math.floor(most))), manner };
  }
}
