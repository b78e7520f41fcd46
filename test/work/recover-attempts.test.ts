import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../src/work/approvals.ts";
import {
  attempted,
  blocker,
  dependency,
  exit,
  node,
  noted,
  openBlocked,
} from "../support/blocked-project.ts";

async function readWhenThere(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text !== "") return text;
    await sleep(10);
  }
}

describe("a command", () => {
  it("with other words that is approved since begins counting anew", async () => {
    await using test = await openBlocked({ recoveryAttempted: 3, recoveryCommand: hashOf(exit(1)) });
    await test.allow(dependency, exit(1));
    expect(await test.recover()).toMatchObject({ type: "given-up", attempts: 3 });
    const other = noted("other", 1);
    await test.allow(dependency, other);
    for (const attempt of [1, 2, 3])
      expect(await test.recover()).toMatchObject({ type: "ran", blocker: attempted(attempt, other) });
    expect(await test.recover()).toMatchObject({ type: "given-up", attempts: 3 });
    expect(await test.ran()).toEqual(["other", "other", "other"]);
  });

  it("begins counting anew after agents that were called in vain, but only where any may be tried", async () => {
    await using test = await openBlocked({ recoveryAttempted: 3 });
    expect(await test.recover({ isUnderAgent: true })).toMatchObject({ type: "given-up", attempts: 3 });
    await test.allow(dependency, exit(0));
    expect(await test.recover()).toMatchObject({ type: "ran", blockerIs: "cleared" });
    await using never = await openBlocked({ maxRecoveryAttempts: 0 });
    await never.allow(dependency, noted("never"));
    expect(await never.recover()).toMatchObject({ type: "given-up", attempts: 0 });
    expect([await never.blocker(), await never.ran()]).toEqual([{ ...blocker, maxRecoveryAttempts: 0 }, []]);
  });
});

describe("processes", () => {
  it("that are killed while the command runs have made an attempt", async () => {
    await using test = await openBlocked();
    const stay = `require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)`;
    await test.allow(dependency, node(stay));
    await using child = test.child();
    const pid = Number(await readWhenThere(`${test.root}/pid`));
    child.kill("SIGKILL");
    await child.ended();
    process.kill(pid, "SIGKILL");
    expect(await test.blocker()).toEqual(attempted(1, node(stay)));
  });

  it("many at once make as many attempts as the blocker allows, each counted", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("tried", 1));
    const children = Array.from({ length: 6 }, () => test.child());
    const answers = await Promise.all(children.map((child) => child.next()));
    await Promise.all(children.map((child) => child.ended()));
    expect(answers.sort()).toEqual(["given-up", "given-up", "given-up", "ran", "ran", "ran"]);
    expect([await test.blocker(), (await test.ran()).length]).toEqual([attempted(3, noted("tried", 1)), 3]);
  });
});
