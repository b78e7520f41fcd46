import { appendFile, mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { noon, openTestHandover } from "../support/project-handover.ts";

type Test = Awaited<ReturnType<typeof openTestHandover>>;
const tech = (test: Test) => test.join(".claude/sdd/project/steering/tech.md");
const steer = async (test: Test, text: string) => {
  await mkdir(dirname(tech(test)), { recursive: true });
  await writeFile(tech(test), text);
};
const warning = "- steering/tech.md changed and no STEERING_UPDATE says why.";
const warned = async (test: Test) => {
  await test.handover.draft();
  return (await test.doc()).warnings;
};

describe("a change of steering", () => {
  // Seed 0: 7.3
  it("is warned of since the beginning of a session, until it is undone", async () => {
    await using test = await openTestHandover();
    await steer(test, "rules");
    await test.decide("SESSION_START", "begin");
    await steer(test, "other rules");
    expect(await warned(test)).toBe(warning);
    await steer(test, "rules");
    expect(await warned(test)).toBe("");
    await rm(tech(test));
    expect(await warned(test)).toBe(warning);
  });

  it("is none when a file was only written anew, as by a checkout there and back", async () => {
    await using test = await openTestHandover();
    await steer(test, "rules");
    await test.decide("SESSION_START", "begin");
    expect(await warned(test)).toBe("");
    await steer(test, "rules");
    const later = new Date(noon.getTime() + 60_000);
    await utimes(tech(test), later, later);
    expect(await warned(test)).toBe("");
  });

  it("is known since session.md was first written, where no session has begun", async () => {
    await using test = await openTestHandover();
    await steer(test, "rules");
    expect(await warned(test)).toBe("");
    await steer(test, "other rules");
    await test.handover.polish();
    expect((await test.doc()).warnings).toBe(warning);
  });

  it.each(["before it", "after it"])(
    "is explained by a STEERING_UPDATE, also one of a session %s",
    async (when) => {
      await using test = await openTestHandover();
      await test.handover.polish({ warnings: ["The keys expire"] });
      await steer(test, "rules");
      if (when === "after it") expect(await warned(test)).toBe(`- The keys expire\n${warning}`);
      await test.decide("STEERING_UPDATE", "new rules");
      await test.decide("SESSION_START", "begin");
      expect(await warned(test)).toBe("- The keys expire");
      await steer(test, "more rules");
      expect(await warned(test)).toBe(`- The keys expire\n${warning}`);
      await test.decide("SESSION_START", "begin");
      expect(await warned(test)).toBe(`- The keys expire\n${warning}`);
    },
  );

  it("is not explained by an update that came before it, in the same second or not", async () => {
    await using test = await openTestHandover();
    await steer(test, "rules");
    await test.decide("SESSION_START", "begin");
    await test.decide("STEERING_UPDATE", "new rules");
    await steer(test, "other rules");
    expect(await warned(test)).toBe(warning);
  });

  it("is explained by an update that another hand wrote", async () => {
    await using test = await openTestHandover();
    await steer(test, "rules");
    await test.decide("SESSION_START", "begin");
    await steer(test, "other rules");
    expect(await warned(test)).toBe(warning);
    const entry = "[2026-11-16T12:00:00Z] D2: STEERING_UPDATE | new rules\n- Context: c\n- Decision: d\n";
    await appendFile(test.handover.paths.decisions, `\n${entry}`);
    expect(await warned(test)).toBe("");
  });

  it("that a document of an earlier version warns of stays until it is explained", async () => {
    await using test = await openTestHandover();
    await steer(test, "rules");
    await test.write(
      `# Session Handover\n\n## Direction\n### Warnings\n${warning}\n- steering/a.md changed, says Ada.\n`,
    );
    expect(await warned(test)).toBe(`${warning}\n- steering/a.md changed, says Ada.`);
    await test.decide("STEERING_UPDATE", "new rules");
    expect(await warned(test)).toBe("- steering/a.md changed, says Ada.");
  });
});
