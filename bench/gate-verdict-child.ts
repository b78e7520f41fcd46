/** What gates take in a process of its own, in milliseconds. */
export interface GateCost {
  readonly loading: number;
  readonly work: number;
}

const [what = "", folder = "", session = ""] = process.argv.slice(2);
const before = performance.now();
const { answerByPass, askGates, prepareVerdict } = await import("./gated-folder.ts");
const loading = performance.now() - before;
const works: Readonly<Record<string, () => Promise<void>>> = {
  verdict: prepareVerdict(folder, session),
  answer: () => askGates(folder, session),
  pass: () => answerByPass(folder, session),
};
const work = works[what];
if (work === undefined) throw new Error(`Nothing is called ${what}.`);
const start = performance.now();
await work();
const cost: GateCost = { loading, work: performance.now() - start };
console.log(JSON.stringify(cost));
