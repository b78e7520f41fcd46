import { append } from "./append.ts";
import { chat } from "./chat.ts";
import { diff } from "./diff.ts";
import { exchange } from "./exchange.ts";
import type { Bench, Figure, Outcome, Scale } from "./figure.ts";
import { Fixtures } from "./fixtures.ts";
import { fork } from "./fork.ts";
import { gateCosts } from "./gates.ts";
import { handoff, handoffUsage, tryHandoff } from "./handoff.ts";
import { handover } from "./handover.ts";
import { hookCosts } from "./hooks.ts";
import { importing } from "./import.ts";
import { list } from "./list.ts";
import { peers } from "./peers.ts";
import { postgres } from "./postgres.ts";
import { push } from "./push.ts";
import { read } from "./read.ts";
import { recall } from "./recall.ts";
import { redaction } from "./redaction.ts";
import { renderTable, writeResults } from "./report.ts";
import { resume } from "./resume.ts";
import { roundTrees } from "./round-trees.ts";
import { search } from "./search.ts";
import { size } from "./size.ts";
import { sync } from "./sync.ts";
import { makeWorkFolder } from "./work-folder.ts";
import { workState } from "./work-state.ts";

const figures: Readonly<Record<string, Figure>> = {
  // First, as in a process of their own: what ran before shapes how shared code is compiled, and fills the heap.
  sync,
  import: importing,
  append,
  read,
  resume,
  exchange,
  list,
  chat,
  fork,
  diff,
  size,
  redaction,
  handover,
  handoff,
  recall,
  "work-state": workState,
  "round-trees": roundTrees,
  hooks: hookCosts,
  gates: gateCosts,
  postgres,
  search,
  push,
  peers,
};

const full: Scale = {
  long: 100_000,
  readLength: 40_000,
  sessions: 10_000,
  forkedLength: 5000,
  decisions: 10_000,
  startDecisions: 100_000,
  startSessions: 5000,
  files: 100_000,
  messages: 1_000_000,
  lengths: [100, 1000, 5000, 10_000, 100_000],
  rounds: 1600,
  handoffs: Number.POSITIVE_INFINITY,
};
const quick: Scale = {
  long: 5000,
  readLength: 2000,
  sessions: 500,
  forkedLength: 1000,
  decisions: 500,
  startDecisions: 2000,
  startSessions: 100,
  files: 2000,
  messages: 20_000,
  lengths: [100, 1000],
  rounds: 80,
  handoffs: 1,
};

const usage = `Usage: npm run bench [-- [--quick] [FIGURE...]]
Figures: ${Object.keys(figures).join(", ")}; all of them unless some are named.
--quick tries it out on small sizes and writes nothing down; else results.json and docs/cost.md have what was measured.

${handoffUsage}`;

async function main(args: readonly string[]): Promise<void> {
  const [first, ...options] = args;
  if (first === "handoff" && options.some((option) => /^--(set|missed|dump)\b/.test(option))) {
    tryHandoff(options);
    return;
  }
  const chosen = args.filter((arg) => arg !== "--quick");
  if (chosen.some((name) => !Object.hasOwn(figures, name))) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const isQuick = args.includes("--quick");
  const outcomes = await measure(chosen.length === 0 ? Object.keys(figures) : chosen, isQuick ? quick : full);
  console.log(renderTable(outcomes));
  if (!isQuick) writeResults(outcomes, Object.keys(figures));
}

async function measure(names: readonly string[], scale: Scale): Promise<ReadonlyMap<string, Outcome>> {
  const folder = makeWorkFolder();
  const outcomes = new Map<string, Outcome>();
  try {
    const fixtures = new Fixtures(folder.path, scale.long);
    try {
      const bench: Bench = { folder: folder.path, scale, fixtures };
      for (const name of names) {
        console.error(`Measuring ${name} …`);
        const outcome = await figures[name]?.(bench);
        if (outcome !== undefined) outcomes.set(name, outcome);
      }
    } finally {
      await fixtures[Symbol.asyncDispose]();
    }
  } finally {
    folder[Symbol.dispose]();
  }
  return outcomes;
}

await main(process.argv.slice(2));
