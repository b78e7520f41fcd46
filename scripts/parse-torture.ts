import { parseArgs } from "node:util";

export const tortureUsage = `Usage: npm run torture [-- OPTIONS]

Runs campaigns that take too long for every day: those that are named, or all of them.

  --kills N            kill N writers at random moments on each engine (10000)
  --chats N            kill N chats at random moments on each engine, and let each go on to its end (1000)
  --server-faults N    kill, restart and disturb PostgreSQL N times while it is written to (100)
  --flips N            turn N bits of a SQLite store, one at a time (10000)
  --faults             let every system call of every operation on SQLite fail, or be its last; needs strace
  --exchanges N        kill N exchanges of two machines with a third store, and let three stores meet in N random ways (1000)
  --saves N            kill N saves of work at random moments (500)
  --runs N             kill runs of an instructor and a worker N times at random moments on each engine (500)
  --gates N            let N processes change one file of the gates 20 times each, while others are killed (64)
  --transcripts N      damage N transcripts of a client and repair them (2000)
  --processes          let up to 256 processes begin in the same moment
  --properties         try all cases of the properties of which the other tests try a few

  --engine ENGINE      sqlite or postgres; both unless it is named
  --writers N          1, 4 or 16 at once; kills: a third each, server faults: 16, unless it is named
  --help               show this`;

/** What the campaigns are to be run with. */
export interface Torture {
  /** The files of test/torture to run. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Campaign {
  readonly name: string;
  /** The variable that says how large it is; without one it has one size. */
  readonly size?: string;
  /** The only engine that it is about. */
  readonly engine?: string;
}

const campaigns: readonly Campaign[] = [
  { name: "kills", size: "TORTURE_KILLS" },
  { name: "chats", size: "TORTURE_CHATS" },
  { name: "server-faults", size: "TORTURE_SERVER_FAULTS", engine: "postgres" },
  { name: "flips", size: "TORTURE_FLIPS", engine: "sqlite" },
  { name: "faults", engine: "sqlite" },
  { name: "exchanges", size: "TORTURE_EXCHANGES" },
  { name: "saves", size: "TORTURE_SAVES", engine: "sqlite" },
  { name: "runs", size: "TORTURE_RUNS" },
  { name: "gates", size: "TORTURE_GATES", engine: "sqlite" },
  { name: "transcripts", size: "TORTURE_TRANSCRIPTS", engine: "sqlite" },
  { name: "processes" },
  { name: "properties", engine: "sqlite" },
];

const options = {
  kills: { type: "string" },
  chats: { type: "string" },
  "server-faults": { type: "string" },
  flips: { type: "string" },
  faults: { type: "boolean" },
  exchanges: { type: "string" },
  saves: { type: "string" },
  runs: { type: "string" },
  gates: { type: "string" },
  transcripts: { type: "string" },
  processes: { type: "boolean" },
  properties: { type: "boolean" },
  engine: { type: "string" },
  writers: { type: "string" },
  help: { type: "boolean" },
} as const;

/** Reads the command line; returns undefined when help is asked for, and throws an error that names what is wrong. */
export function parseTorture(args: readonly string[]): Torture | undefined {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) return undefined;
  const { engine, writers, ...asked } = values;
  checkChoice("engine", engine, ["sqlite", "postgres"]);
  checkChoice("writers", writers, ["1", "4", "16"]);
  const named = campaigns.filter(({ name }) => Object.hasOwn(asked, name));
  for (const campaign of named) checkEngine(campaign, engine);
  const chosen = named.length > 0 ? named : campaigns.filter((each) => fits(each, engine));
  const sizes = Object.entries(asked).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return {
    files: chosen.map(({ name }) => `test/torture/${name}.test.ts`),
    env: {
      ...(engine === undefined ? {} : { TORTURE_ENGINE: engine }),
      ...(writers === undefined ? {} : { TORTURE_WRITERS: writers }),
      ...Object.fromEntries(sizes.map(([name, value]) => [sizeOf(name), parseSize(name, value)])),
    },
  };
}

function sizeOf(name: string): string {
  return campaigns.find((campaign) => campaign.name === name)?.size ?? name;
}

function parseSize(name: string, value: string): string {
  if (!/^[1-9]\d{0,7}$/.test(value)) throw new Error(`--${name} takes a number from 1 on, not "${value}".`);
  return value;
}

function checkChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw new Error(`--${name} takes one of ${choices.join(", ")}, not "${value}".`);
}

function checkEngine(campaign: Campaign, engine: string | undefined): void {
  if (!fits(campaign, engine)) throw new Error(`--${campaign.name} is about ${campaign.engine} only.`);
}

function fits(campaign: Campaign, engine: string | undefined): boolean {
  return engine === undefined || campaign.engine === undefined || campaign.engine === engine;
}
