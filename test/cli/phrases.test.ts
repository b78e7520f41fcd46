import { readFile } from "node:fs/promises";
import { join } from "node:path";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { phrases, say } from "../../src/cli/phrases.ts";
import { openWork } from "../support/work-project.ts";

describe("the questions on a terminal", () => {
  it.each([
    { env: { LANG: "ja_JP.UTF-8" }, says: "次に何をしますか?" },
    { env: { LANG: "ko_KR.UTF-8" }, says: "다음은 무엇입니까?" },
    { env: { LANG: "zh_CN.UTF-8" }, says: "下一步是什么?" },
    { env: { LANG: "en_GB.UTF-8" }, says: "What is next?" },
    { env: { LANG: "kok_IN.UTF-8" }, says: "What is next?" },
    { env: { LANG: "ja_JP.UTF-8", LC_ALL: "C" }, says: "What is next?" },
    { env: { LANG: "C.UTF-8", LC_MESSAGES: "ko" }, says: "다음은 무엇입니까?" },
    { env: { LANG: "ja_JP.UTF-8", LC_ALL: "" }, says: "次に何をしますか?" },
    { env: {}, says: "What is next?" },
  ])("are in the language of $env", ({ env, says }) => {
    expect(say({ env }, "handover.next")).toBe(says);
  });

  it("have the same values to fill in, in each language", () => {
    const valuesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const [english, ...others] of Object.values<readonly string[]>(phrases))
      expect(others.map(valuesOf)).toEqual(others.map(() => valuesOf(english ?? "")));
  });

  it("of a handover are asked in Korean, on lines that fit, and what it writes has the form of the format", async () => {
    await using work = await openWork();
    const env = { ...work.env, PATH: process.env.PATH, LANG: "ko_KR.UTF-8" };
    const { code, asked } = await work.answer(["handover"], { words: "로그인" }, { env });
    const questions = asked.split("\n");
    expect(code).toBe(0);
    expect(questions.slice(0, 2)).toEqual([
      "이 세션의 목표는 무엇입니까?",
      "진행 중인 목표는 무엇입니까? (한 줄에 하나, 빈 줄로 끝)",
    ]);
    expect(questions).toContain('"로그인"의 이유는? (비우면 none)');
    expect(questions.filter((question) => stringWidth(question) > 78)).toEqual([]);
    const written = await readFile(join(work.root, ".claude/sdd/handover/session.md"), "utf8");
    expect(written).toContain("**Session Goal**: 로그인\n");
  });

  it("of a load are asked in Japanese, and what it prints stays English", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "form"]);
    const env = { ...work.env, PATH: process.env.PATH, LANG: "ja_JP.UTF-8" };
    const { asked, stdout } = await work.answer(["load"], { choices: ["続ける"] }, { env });
    expect(asked).toBe("どうしますか?\n  続ける: form\n  新しいタスク");
    expect(stdout.endsWith("Go on with: form\n")).toBe(true);
  });
});
