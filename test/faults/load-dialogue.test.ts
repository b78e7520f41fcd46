import { realpath } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";
import { callIn, makeUnsavedWorld } from "../support/work-world.ts";

async function openDialogue(folder: string, args: readonly string[] = ["load"]) {
  const world = await makeUnsavedWorld(folder);
  const { root } = world;
  await callIn(world, ["save", "-m", "The form", "--todo", "form", "--todo", "tests"]);
  await git(root, "rm", "-qf", ".env");
  await git(root, "checkout", "-q", "main");
  const env = { ...world.env, TERM: "xterm", LANG: "C.UTF-8", NO_COLOR: "1" };
  const known = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const terminal = await openTerminal([process.execPath, launcher, ...args], {
    cwd: root,
    env: known,
    columns: 100,
  });
  return { root, terminal };
}

describe("carryon load on a terminal", () => {
  it("switches to the branch when that is chosen", async () => {
    await using dir = await tempDir();
    const { root, terminal } = await openDialogue(await realpath(dir.path));
    await using _ = terminal;
    const screen = await terminal.waitFor("What now?");
    expect(screen).toContain("BRANCH_MISMATCH: This is the branch main, but the work was saved on feature.");
    await terminal.waitFor("Switch to feature");
    await terminal.pressUntil("Enter", "Switched to feature.");
    // It asks again what now, and is left there.
    await terminal.press("C-c");
    await terminal.ended();
    expect(await git(root, "symbolic-ref", "--short", "HEAD")).toBe("feature");
  });

  it("changes nothing when it is left with Ctrl-C", async () => {
    await using dir = await tempDir();
    const { root, terminal } = await openDialogue(await realpath(dir.path));
    await using _ = terminal;
    await terminal.waitFor("What now?");
    await terminal.press("C-c");
    await terminal.ended();
    expect(await git(root, "symbolic-ref", "--short", "HEAD")).toBe("main");
  });
});

describe("carryon alone on a terminal", () => {
  it.each(["Enter", "C-c", "Escape"])("shows the status and leaves with success at %s", async (key) => {
    await using dir = await tempDir();
    const { root, terminal } = await openDialogue(await realpath(dir.path), []);
    await using _ = terminal;
    const screen = await terminal.waitFor("Go on with open work?");
    expect(screen).toContain("Project  work on main");
    await terminal.waitFor("Load the saved work: form");
    await terminal.press(key);
    expect(await terminal.ended()).toBe(0);
    expect(await git(root, "symbolic-ref", "--short", "HEAD")).toBe("main");
  });

  it("goes on to what carryon load asks", async () => {
    await using dir = await tempDir();
    const { root, terminal } = await openDialogue(await realpath(dir.path), []);
    await using _ = terminal;
    await terminal.waitFor("Load the saved work: form");
    await terminal.press("Down", "Enter");
    await terminal.waitFor("Switch to feature");
    await terminal.pressUntil("Enter", "Switched to feature.");
    await terminal.press("C-c");
    await terminal.ended();
    expect(await git(root, "symbolic-ref", "--short", "HEAD")).toBe("feature");
  });
});
