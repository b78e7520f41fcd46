import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cruise, type ICruiseResult, type IReporterOutput } from "dependency-cruiser";
import { beforeAll, expect, it } from "vitest";
import { forbidden, layers, options } from "../architecture.config.ts";

let result: ICruiseResult;

beforeAll(async () => {
  const output: IReporterOutput = await cruise(["src"], {
    ...options,
    ruleSet: { forbidden },
    validate: true,
  });
  if (typeof output.output === "string") throw new TypeError("The cruise gave text instead of a result.");
  result = output.output;
});

it("looks at every file of src/", () => {
  const seen = result.modules.map((module) => module.source).filter((source) => source.startsWith("src/"));
  expect(new Set(seen)).toEqual(new Set(globSync("src/**/*.ts")));
});

it("sees the imports between the folders", () => {
  const imports = result.modules.flatMap((module) =>
    module.dependencies.map((each) => `${module.source} > ${each.resolved}`),
  );
  expect(imports).toContain("src/storage/sql-conversation-log.ts > src/conversation/errors.ts");
  expect(imports).toContain("src/project/open-project.ts > src/storage/open-store.ts");
});

it("knows the layer of every folder of src/", () => {
  const folders = readdirSync("src").filter((name) => statSync(`src/${name}`).isDirectory());
  expect(layers.flat()).toEqual(expect.arrayContaining(folders));
});

it("finds other files only from two folders below the top, where all that is built stands", () => {
  const finders = globSync("src/**/*.ts").filter((path) =>
    readFileSync(path, "utf8").includes("import.meta.url"),
  );
  expect(finders).toContain("src/cli/version.ts");
  expect(finders.filter((path) => path.split("/").length !== 3)).toEqual([]);
});

it("finds dependencies that point downwards only, and no cycle", () => {
  expect(result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} > ${to}`)).toEqual([]);
});

it("would notice a dependency that points upwards", async () => {
  const upwards = {
    name: "upwards",
    severity: "error" as const,
    from: { path: "^src/storage/" },
    to: { path: "^src/conversation/" },
  };
  const output = await cruise(["src/storage"], {
    ...options,
    ruleSet: { forbidden: [upwards] },
    validate: true,
  });
  expect(typeof output.output === "object" && output.output.summary.error).toBeGreaterThan(0);
});
