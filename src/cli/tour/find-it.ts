import type { Scratch } from "./scratch.ts";
import { insist, type Teller } from "./teller.ts";

/** Shows how what was said is found again. */
export async function findIt(scratch: Scratch, session: string, say: Teller): Promise<void> {
  await say.step("What was said is found by its words, in every session of the project");
  say.command(`carryon search renew '"30 days"' role:assistant --limit 1`);
  const query = ["search", "renew", '"30 days"', "role:assistant"];
  say.result(await scratch.run([...query, "--limit", "1"]));
  const { hits } = JSON.parse(await scratch.run([...query, "--json"]));
  insist(
    hits.length > 0 && hits.every((hit: { role: string }) => hit.role === "assistant"),
    "a search does not find what was said",
  );
  say.command(`carryon show ${session} --find lifetime --to 4`);
  say.result(await scratch.run(["show", session, "--find", "lifetime", "--to", "4"]));
}
