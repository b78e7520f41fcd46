import type { Scratch } from "./scratch.ts";
import { insist, type Teller } from "./teller.ts";

/** What the tour looks at of a comparison. */
interface Compared {
  readonly shared: { readonly entries: number };
  readonly right: { readonly own: { readonly entries: number } };
}

/** Compares a fork with its origin, and brings what it did there. */
export async function compareWays(
  scratch: Scratch,
  { origin, fork }: { readonly origin: string; readonly fork: string },
  say: Teller,
): Promise<void> {
  await say.step("Both ways are compared, and brought together");
  say.command(`carryon diff ${fork}     # and --html diff.html makes a page of it`);
  say.result(shorten(await scratch.run(["diff", fork])));
  const { shared } = await compare(scratch, fork);
  insist(shared.entries === 5, "the comparison does not find what both share");
  say.command(`carryon merge ${origin} ${fork}`);
  say.result(await scratch.run(["merge", origin, fork]));
  const { right } = await compare(scratch, fork);
  insist(right.own.entries === 0, "the merge has left something behind");
  say.result("It has what the fork did as a block that says where it comes from; nothing else was changed.");
}

async function compare(scratch: Scratch, fork: string): Promise<Compared> {
  return JSON.parse(await scratch.run(["diff", fork, "--json"]));
}

/** The origin has many messages of its own: what is shown of them is how they begin, and the figures. */
function shorten(output: string): string {
  const lines = output.trimEnd().split("\n");
  const shared = lines.findIndex((line) => /^\d+ entries shared/.test(line));
  const figures = lines.findLastIndex((line) => /^ +A +B$/.test(line));
  const other = lines.lastIndexOf("B", figures);
  insist(shared > 0 && other > shared, "the comparison has another form than it had");
  return [
    ...lines.slice(0, shared + 7),
    "…",
    "",
    ...lines.slice(other, figures - 1),
    ...lines.slice(figures),
  ].join("\n");
}
