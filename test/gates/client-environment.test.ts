import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseEnviron, parsePsEnvironment, readClientEnvironment } from "../../src/gates/ancestors.ts";

it("is what a process was started with, not what it has set since or gives to those that it starts", async () => {
  const path = fileURLToPath(new URL("../../src/gates/ancestors.ts", import.meta.url));
  const ask = `import(${JSON.stringify(path)}).then(async ({ readClientEnvironment }) =>
    console.log(JSON.stringify(await readClientEnvironment(process.pid))))`;
  const client = `process.env.LATER = "1";
    const { spawnSync } = require("node:child_process");
    process.stdout.write(spawnSync("sh", ["-c", '"$0" -e "$ASK"; :', process.execPath],
      { env: { ...process.env, GIVEN: "1", ASK: ${JSON.stringify(ask)} } }).stdout)`;
  const env = { PATH: process.env.PATH ?? "", BEFORE: "1", NODE_NO_WARNINGS: "1" };
  const child = spawn(process.execPath, ["-e", client], { env });
  const found = JSON.parse(await text(child.stdout));
  expect({ before: found.BEFORE, later: found.LATER, given: found.GIVEN }).toEqual({ before: "1" });
});

it("is not known of a process that is not there", async () => {
  expect(await readClientEnvironment(2 ** 22 + 1)).toBe(undefined);
});

it("is read as Linux and macOS write it", () => {
  expect(parseEnviron("A=1\0B=two words=3\0\0C\0")).toEqual({ A: "1", B: "two words=3" });
  expect(parsePsEnvironment("claude --x=1 A=1 PATH=/bin:/usr/bin B=\n")).toEqual({
    ...{ A: "1", PATH: "/bin:/usr/bin", B: "" },
  });
});
