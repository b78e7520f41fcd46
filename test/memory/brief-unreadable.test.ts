import { execFile } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readFailed } from "../../src/lib/file-error.ts";
import { briefParts } from "../support/brief-of.ts";
import { given, openTestHandover } from "../support/project-handover.ts";

const special = {
  "a link": {
    put: (path: string) => symlink("/etc/passwd", path),
    problem: "is a symbolic link and is not written through. Replace the link by a regular file.",
  },
  "a folder": {
    put: (path: string) => mkdir(path),
    problem: "is not a regular file. Move away what is there.",
  },
  "a pipe": {
    put: (path: string) => promisify(execFile)("mkfifo", [path]),
    problem: "is not a regular file. Move away what is there.",
  },
};

const binary = {
  put: (path: string) => writeFile(path, Buffer.from([0, 1, 255])),
  problem:
    "cannot be read as a document: it is binary, or not UTF-8. Move it away, or repair it; it was left as it is.",
};

const everything = Object.entries({ ...special, "a binary file": binary });

describe("a document that cannot be read", () => {
  it.each(everything)("is told of once, and hides no other: %s", async (_, { put, problem }) => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "mine");
    await test.handover.polish({ tone: ["calm"] });
    await test.handover.note([{ tag: "PATTERN", text: "a", source: "" }]);
    const { buffer } = test.handover.paths;
    for (const path of [test.path, buffer]) {
      await rm(path);
      await put(path);
    }
    const found = await briefParts(test);
    expect(Object.keys(found)).toEqual(["Problems", "Latest decisions"]);
    expect(found.Problems?.split("\n")).toEqual([`${test.path} ${problem}`, `${buffer} ${problem}`]);
  });

  it.each(Object.entries(special))("may be decisions.md: %s", async (_, { put, problem }) => {
    await using test = await openTestHandover();
    await test.handover.polish({ tone: ["calm"], decisions: given("see this") });
    const { decisions } = test.handover.paths;
    await rm(decisions);
    await put(decisions);
    expect(await briefParts(test)).toEqual({
      "Next action": "Wait for the user's instruction.",
      Problems: `${decisions} ${problem}`,
      "Decisions added in the last session": "1. see this (D1)",
      "Tone and nuance": "calm",
    });
    await expect(test.handover.decisions()).rejects.toMatchObject({ path: decisions });
    await expect(test.handover.decisions({ last: 1 })).rejects.toMatchObject({ path: decisions });
  });

  it("may be the folder of the specs", async () => {
    await using test = await openTestHandover();
    const folder = test.join(".claude", "sdd", "project");
    await mkdir(folder, { recursive: true });
    await symlink("specs", `${folder}/specs`);
    const { Problems } = await briefParts(test);
    expect(Problems).toContain("project/specs, line 1: ");
  });

  it.each([
    {
      code: "EACCES",
      says: "/x may not be read.",
      hint: "Check the permissions of the file and of its folder.",
    },
    { code: "EISDIR", says: "/x is a folder and no file.", hint: "Move away what is there." },
  ])("comes with advice: $code", ({ code, says, hint }) => {
    const cause = Object.assign(new Error(`${code}: no`), { code });
    expect(readFailed("/x", cause)).toMatchObject({ message: says, code: "io-failed", hint, cause });
  });
});
