import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSession } from "../../src/handover/parse-session.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

async function openDialogue(carryon: Carryon) {
  const env = {
    ...{ HOME: carryon.folder, CARRYON_HOME: join(carryon.folder, "home"), TERM: "xterm" },
    ...{ LANG: "C.UTF-8", PATH: process.env.PATH ?? "", NO_COLOR: "1" },
  };
  const cwd = await realpath(join(carryon.folder, "work"));
  return openTerminal([process.execPath, launcher, "handover"], { cwd, env, columns: 80 });
}

const read = async (carryon: Carryon) =>
  parseSession(await readFile(join(carryon.folder, "work/.claude/sdd/handover/session.md"), "utf8")).doc;

describe("carryon handover on a terminal", () => {
  it("asks the goals and the five questions, and writes the answers", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "the form"]);
    await using terminal = await openDialogue(carryon);
    const answer = async (question: string, ...lines: readonly string[]) => {
      await terminal.waitFor(question);
      for (const line of lines) {
        await terminal.type(line);
        await terminal.press("Enter");
      }
      if (lines.length === 0 || !/the goal|Why|follows|steering document/.test(question))
        await terminal.press("Enter");
    };
    await answer("What is the goal", "ログインを直す");
    await answer("Which goals are active", "sign in without a password");
    // What is known stands there; what is typed goes below it.
    await answer("What was done?", "its tests");
    await answer("What is next?", "Review it");
    await answer("Which decisions", "Passkeys only", "No SMS");
    await answer('Why "Passkeys only"', "one way to sign in");
    await answer('What follows from "Passkeys only"', "no reset mails");
    await answer('Why "No SMS"', "");
    await answer('What follows from "No SMS"', "");
    await answer("beware of?", "Keys expire");
    await answer("tone and mood", "calm");
    await answer("Which exceptions", "No end-to-end test");
    await answer('Why "No end-to-end', "no browser here");
    await answer('What follows from "No end-to-end', "");
    await answer("Which steering document", "tech.md");
    const screen = await terminal.waitFor("says that the session is over");
    expect(await terminal.ended()).toBe(0);
    expect(screen).toContain("D1: USER_DECISION | Passkeys only\nD2: USER_DECISION | No SMS\n");
    expect(await read(carryon)).toMatchObject({
      ...{
        goal: "ログインを直す",
        mode: "",
        accomplished: "- the form\n- its tests",
        nextAction: "Review it",
      },
      ...{
        warnings: "- Keys expire",
        tone: "calm",
        exceptions: "- No end-to-end test: no browser here (D3)",
      },
      activeGoals: "- sign in without a password",
    });
  });

  it("takes a paste as a whole, and one Enter for what is to stay as it is", async () => {
    await using carryon = await openCarryon();
    await using terminal = await openDialogue(carryon);
    await terminal.waitFor("What is the goal");
    await terminal.paste("Ship\nit\n\nsoon");
    await terminal.waitFor("Ship it soon");
    await terminal.press("Enter");
    await terminal.waitFor("Which goals");
    await terminal.press("Enter");
    await terminal.waitFor("What was done?");
    await terminal.paste("A\nB\n\nC\nD");
    await terminal.waitFor("D█");
    await terminal.press("Enter", "Enter");
    for (const question of ["next?", "Which decisions", "beware of?", "tone and mood", "exceptions"]) {
      await terminal.waitFor(question);
      await terminal.press("Enter");
    }
    await terminal.waitFor("says that the session is over");
    expect(await terminal.ended()).toBe(0);
    expect(await read(carryon)).toMatchObject({ goal: "Ship it soon", accomplished: "- A\n- B\n- C\n- D" });
    await using again = await openDialogue(carryon);
    await again.waitFor("What is the goal");
    await again.press("Enter");
    await again.waitFor("Which goals");
    await again.press("Enter");
    await again.waitFor("│  D\n│  █");
    await again.press("Enter");
    await again.waitFor("next?");
    await again.press("C-c");
    expect(await again.ended()).toBe(130);
    expect((await read(carryon)).accomplished).toBe("- A\n- B\n- C\n- D");
  });

  it("keeps what was answered when it is interrupted, and when the terminal is closed", async () => {
    await using carryon = await openCarryon();
    await using first = await openDialogue(carryon);
    await first.waitFor("What is the goal");
    await first.type("Ship");
    await first.press("Enter");
    await first.waitFor("Which goals");
    await first.press("Enter");
    await first.waitFor("What was done?");
    await first.press("C-c");
    await first.waitFor("Stopped.");
    expect(await first.ended()).toBe(130);
    expect((await read(carryon)).goal).toBe("Ship");
    await using second = await openDialogue(carryon);
    await second.waitFor("What is the goal");
    await second.press("Enter");
    await second.waitFor("Which goals");
    await second.press("Enter");
    await second.waitFor("What was done?");
    await second.type("all");
    await second.press("Enter", "Enter");
    await second.waitFor("What is next?");
    process.kill(second.pid, "SIGKILL");
    await second.ended();
    expect(await read(carryon)).toMatchObject({ goal: "Ship", accomplished: "- all", mode: "" });
  });
});
