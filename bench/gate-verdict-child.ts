/** What gates take in a process of its own, in milliseconds. */
export interface GateCost {
  readonly loading: number;
  readonly work: number;
}

const [what = "", folder = "", session = ""] = process.argv.slice(2);
const before = performance.now();
const { askGates, prepareVerdict } = await import("./gated-folder.ts");
const loading = performance.now() - before;
const work = what === "verdict" ? prepareVerdict(folder, session) : () => askGates(folder, session);
const start = performance.now();
await work();
const cost: GateCost = { loading, work: performance.now() - start };
console.log(JSON.stringify(cost));
