import { cp, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openTwoClones, type TwoClones } from "../support/two-clones.ts";

const decide = (ask: TwoClones["asAda"], what: string) =>
  ask(
    ...["decide", "user-decision", what, "--context", "c", "--decision", `do ${what}`],
    ...["--reason", "r", "--impact", "i"],
  );
const told = async (ask: TwoClones["asAda"], ...args: readonly string[]) => {
  const { decisions, elsewhere } = JSON.parse(await ask("decisions", "--json", ...args));
  const name = ({ seq, summary, machine = "here" }: Readonly<Record<string, unknown>>) =>
    `${machine} D${seq} ${summary}`;
  return [...decisions, ...elsewhere].map(name);
};

describe("decisions of another machine", () => {
  it("are told after one's own, with its name", async () => {
    await using two = await openTwoClones();
    await decide(two.asAda, "passkeys");
    await decide(two.asBen, "sqlite");
    await two.toBen();
    expect(await told(two.asBen)).toEqual(["here D1 sqlite", "ada-laptop D1 passkeys"]);
    expect(await told(two.asBen, "--grep", "keys")).toEqual(["ada-laptop D1 passkeys"]);
    const [, theirs] = (await two.asBen("decisions")).split("\n\n");
    expect(theirs).toMatch(/^D1 {2}passkeys\n {2}USER_DECISION {2}\S+ {2}on ada-laptop\n {2}Context: c\n/);
    expect(await told(two.asAda)).toEqual(["here D1 passkeys"]);
  });

  it("keep their numbers: from the next pull on nobody gives them again", async () => {
    await using two = await openTwoClones();
    await decide(two.asAda, "passkeys");
    await decide(two.asAda, "no mail");
    await two.toBen();
    expect(await decide(two.asBen, "sqlite")).toBe("D3\n");
    await two.toAda();
    expect(await decide(two.asAda, "no cookies")).toBe("D4\n");
    await two.toBen();
    expect(await told(two.asBen)).toEqual([
      "here D3 sqlite",
      "ada-laptop D1 passkeys",
      "ada-laptop D2 no mail",
      "ada-laptop D4 no cookies",
    ]);
  });

  it("are in the brief of a project that is trusted, and counted in that of another", async () => {
    await using two = await openTwoClones();
    await decide(two.asAda, "passkeys");
    await two.toBen();
    const before = await two.asBen("brief");
    expect(before).not.toContain("passkeys");
    expect(before).toMatch(
      /the record of another machine: written by "ada-laptop", .*, not in this user's log; left out until you trust/,
    );
    await two.ben.trust(two.onBen);
    const brief = await two.asBen("brief");
    expect(brief).toMatch(
      /Decisions on "ada-laptop" \(.*\):\n {2}D1 \S+ USER_DECISION: passkeys -- do passkeys\n/,
    );
  });

  it("are not told twice where git has brought them, too", async () => {
    await using two = await openTwoClones();
    await decide(two.asAda, "passkeys");
    await two.toBen();
    await cp(`${two.onAda}/.claude/sdd`, `${two.onBen}/.claude/sdd`, { recursive: true });
    expect(await told(two.asBen)).toEqual(["here D1 passkeys"]);
    await two.ben.trust(two.onBen);
    expect((await two.asBen("brief")).match(/do passkeys/g)).toHaveLength(1);
  });

  it("may be referred to in a session.md", async () => {
    await using two = await openTwoClones();
    await decide(two.asAda, "passkeys");
    await two.toBen();
    await decide(two.asBen, "sqlite");
    await two.asBen("handover", "draft", "--done", "the login");
    const path = `${two.onBen}/.claude/sdd/handover/session.md`;
    const text = await readFile(path, "utf8");
    expect(text).toContain("sqlite (D2)");
    await writeFile(path, text.replace("(D2)", "(D2, after D1 and D9)"));
    const { problems } = JSON.parse(await two.asBen("handover", "draft", "--done", "more", "--json"));
    expect(problems).toMatchObject([{ code: "unknown-decision", message: "there is no decision D9" }]);
  });
});
