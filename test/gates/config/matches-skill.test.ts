import { describe, expect, it } from "vitest";
import { matchesSkill } from "../../../src/gates/gate.ts";
import { readTexts } from "../../support/gate-texts.ts";

describe("a skill that was used", () => {
  const forms = [
    "arch-review",
    "/arch-review",
    "requirements-framework:arch-review",
    "/ns:arch-review",
    " a:b:arch-review ",
  ];

  // Seed 2: 3.1
  it("is the configured one with any namespace and slash", () => {
    for (const configured of forms)
      for (const used of forms) expect(matchesSkill(configured, used)).toBe(true);
  });

  it.each(["plan-review", "arch-review2", "my-arch-review", "Arch-Review", "arch", "ns:", "/", ""])(
    "is another one: %j",
    (used) => {
      expect(forms.some((configured) => matchesSkill(configured, used))).toBe(false);
    },
  );

  it("is none where there is no name", () => {
    expect([matchesSkill("", ""), matchesSkill("/", "/"), matchesSkill("ns:", "")]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("the skills of a requirement", () => {
  const skillsOf = (name: string, settings = "{}") =>
    readTexts({ project: `requirements: {${name}: ${settings}}` }).config.gates.map(
      ({ skills, remedySkill }) => ({
        skills,
        remedySkill,
      }),
    );

  // Seed 2: 1.3
  it.each(["commit_plan", "adr_reviewed", "tdd_planned", "solid_reviewed"])("are built in for %s", (name) => {
    expect(skillsOf(name)).toEqual([{ skills: ["arch-review", "plan-review"], remedySkill: undefined }]);
    expect(skillsOf("other")).toEqual([{ skills: [], remedySkill: undefined }]);
  });

  // Seed 2: 3.3
  it("are more where the configuration names more, each once", () => {
    expect(
      skillsOf("commit_plan", "{auto_resolve_skill: 'x:plan-review', satisfied_by_skill: [mine, /mine]}"),
    ).toEqual([{ skills: ["x:plan-review", "mine", "arch-review"], remedySkill: "x:plan-review" }]);
  });
});
