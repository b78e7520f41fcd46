import { describe, expect, it } from "vitest";
import { leavesBranch } from "../../../src/gates/shell/list-plain-commands.ts";

describe("a line that only leaves the branch", () => {
  it.each([
    "git switch -c my-feature",
    "git switch -q -c my-feature",
    "git switch --create my-feature origin/main",
    "git switch topic",
    "git switch -",
    "git -C . switch -c my-feature",
    "git checkout -b my-feature",
    "git checkout -q -b my-feature main",
    "git branch my-feature",
    "git branch my-feature && git switch my-feature",
    "git switch -c my-feature && git status --short",
    "cd sub && git switch -c my-feature 2>&1",
    "git stash",
    "git stash push -u -m 'so far' && git switch topic",
  ])("is recognised: %s", (command) => {
    expect(leavesBranch(command)).toBe(true);
  });
});

describe("a line that does anything else", () => {
  it.each([
    "git status",
    "npm install",
    "git switch -c x && echo x > f",
    "git switch -c x; touch f",
    "git switch -c x > f",
    "git switch -c $(touch f)",
    "GIT_WORK_TREE=/elsewhere git switch x",
    "git -c core.fsmonitor=./x switch -c x",
    "git --git-dir=/x switch -c x",
    "git switch --discard-changes x",
    "git switch -f x",
    "git switch -C main",
    "git switch --orphan x",
    "git switch --detach",
    "git switch",
    "git checkout x",
    "git checkout -- f",
    "git checkout -B main",
    "git checkout -b",
    "git branch -D x",
    "git branch -f main x",
    "git branch",
    "git stash pop",
    "git stash push f",
    "git stash drop",
    "git() { touch f; }; git switch -c x",
    "git $SUB -c x",
  ])("is not: %s", (command) => {
    expect(leavesBranch(command)).toBe(false);
  });
});
