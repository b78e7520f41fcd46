import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { choosePager, openOutput } from "../../src/cli/paged-output.ts";
import { tempDir } from "../support/temp-dir.ts";
import { testContext } from "../support/test-context.ts";

describe("choosing a pager", () => {
  it.each([
    { case: "is less by default", env: {}, pager: ["less", "-FRX"] },
    { case: "is what PAGER says, split at spaces", env: { PAGER: " more  -d " }, pager: ["more", "-d"] },
    { case: "is none for an empty PAGER", env: { PAGER: "" }, pager: null },
    { case: "is none for cat", env: { PAGER: "cat" }, pager: null },
    { case: "is none on a dumb terminal", env: { TERM: "dumb" }, pager: null },
    { case: "is none in a pipe", env: {}, isTerminal: false, pager: null },
    { case: "is none after --no-pager", env: {}, wanted: false, pager: null },
  ])("$case", ({ env, isTerminal = true, wanted = true, pager }) => {
    expect(choosePager({ env, isTerminal, wanted })).toEqual(pager);
  });
});

describe("paged output", () => {
  const terminal = { isTerminal: { input: true, output: true, error: true }, columns: 80, rows: 5 };

  it("is printed as it is when it fits on the screen", async () => {
    await using dir = await tempDir();
    const context = testContext(dir.path, { ...terminal, env: { PAGER: "false" } });
    const output = openOutput(context, { pager: true });
    for (const line of ["1\n", "2\n", "3\n"]) await output.write(line);
    await output.end();
    expect(context.said.out).toBe("1\n2\n3\n");
  });

  it("is printed as it is when there is no such pager", async () => {
    await using dir = await tempDir();
    const context = testContext(dir.path, { ...terminal, env: { PAGER: "no-such-pager", PATH: "/nowhere" } });
    const output = openOutput(context, { pager: true });
    for (const line of ["1\n", "2\n", "3\n4\n5\n", "6\n"]) await output.write(line);
    await output.end();
    expect(context.said.out).toBe("1\n2\n3\n4\n5\n6\n");
  });

  it("goes to the pager whole once it is longer than the screen", async () => {
    await using dir = await tempDir();
    const env = { PAGER: `dd of=${dir.join("seen")} status=none`, PATH: process.env.PATH };
    const context = testContext(dir.path, { ...terminal, env });
    const output = openOutput(context, { pager: true });
    const lines = Array.from({ length: 2000 }, (_, number) => `${number} ${"x".repeat(100)}\n`);
    for (const line of lines) await output.write(line);
    await output.end();
    expect({ printed: context.said.out, seen: await readFile(dir.join("seen"), "utf8") }).toEqual({
      printed: "",
      seen: lines.join(""),
    });
  });

  it("stops when the pager is left", async () => {
    await using dir = await tempDir();
    const context = testContext(dir.path, { ...terminal, env: { PAGER: "true", PATH: process.env.PATH } });
    const output = openOutput(context, { pager: true });
    let written = 0;
    while ((await output.write("line\n".repeat(1000))) && written < 100_000) written += 1;
    await output.end();
    expect({ printed: context.said.out, stopped: written < 100_000 }).toEqual({ printed: "", stopped: true });
  });
});
