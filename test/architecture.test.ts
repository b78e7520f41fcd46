import { globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { beforeAll, expect, it } from "vitest";
import { forbidden, options, rows } from "../architecture.config.ts";
import { tempDir } from "./support/temp-dir.ts";

/** Holds the files below src/ of a folder against the rules. */
async function examine(more: ICruiseOptions = {}): Promise<ICruiseResult> {
  const { output } = await cruise(["src"], { ...options, ...more, ruleSet: { forbidden }, validate: true });
  if (typeof output === "string") throw new TypeError("The cruise gave text instead of a result.");
  return output;
}

function violationsOf({ summary }: ICruiseResult): readonly string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} > ${to}`);
}

let result: ICruiseResult;

beforeAll(async () => {
  result = await examine();
});

it("looks at every file of src/", () => {
  const seen = result.modules.map((module) => module.source).filter((source) => source.startsWith("src/"));
  expect(new Set(seen)).toEqual(new Set(globSync("src/**/*.ts")));
});

it("sees the imports between the folders", () => {
  const imports = result.modules.flatMap((module) =>
    module.dependencies.map((each) => `${module.source} > ${each.resolved}`),
  );
  expect(imports).toContain("src/storage/sql-conversation-log.ts > src/sessions/errors.ts");
  expect(imports).toContain("src/workspace/open-project.ts > src/storage/open-store.ts");
});

it("knows the row of every folder of src/", () => {
  const folders = readdirSync("src").filter((name) => statSync(`src/${name}`).isDirectory());
  expect(rows.flat()).toEqual(expect.arrayContaining(folders));
});

it("finds other files only from two folders below the top, where all that is built stands", () => {
  const finders = globSync("src/**/*.ts").filter((path) =>
    readFileSync(path, "utf8").includes("import.meta.url"),
  );
  expect(finders).toContain("src/lib/version.ts");
  expect(finders.filter((path) => path.split("/").length !== 3)).toEqual([]);
});

it("finds imports of earlier folders and of public files only, and no cycle", () => {
  expect(violationsOf(result)).toEqual([]);
});

it.each([
  {
    fault: "an import of a later row",
    files: { "src/storage/a.ts": "../work/b.ts", "src/work/b.ts": "" },
    found: ["storage-imports-only-what-stands-before-it: src/storage/a.ts > src/work/b.ts"],
  },
  {
    fault: "an import of a folder to the right",
    files: { "src/work/a.ts": "../gates/b.ts", "src/gates/b.ts": "" },
    found: ["work-imports-only-what-stands-before-it: src/work/a.ts > src/gates/b.ts"],
  },
  {
    fault: "an import of a private file of another capability",
    files: { "src/gates/a.ts": "../work/save/b.ts", "src/work/save/b.ts": "" },
    found: ["subfolders-are-private: src/gates/a.ts > src/work/save/b.ts"],
  },
  {
    fault: "an import of a private file of a client",
    files: { "src/work/a.ts": "../clients/one/rows/b.ts", "src/clients/one/rows/b.ts": "" },
    found: ["subfolders-are-private: src/work/a.ts > src/clients/one/rows/b.ts"],
  },
  {
    fault: "a cycle inside a folder",
    files: { "src/work/a.ts": "./save/b.ts", "src/work/save/b.ts": "../a.ts" },
    found: ["no-cycle: src/work/a.ts > src/work/save/b.ts"],
  },
  {
    fault: "nothing in what is allowed",
    files: {
      "src/index.ts": "./work/save/b.ts",
      "src/work/a.ts": "./save/b.ts",
      "src/work/save/b.ts": "../../lib/jsonc/c.ts",
      "src/lib/jsonc/c.ts": "",
      "src/gates/d.ts": "../clients/one/e.ts",
      "src/clients/one/e.ts": "",
    },
    found: [],
  },
])("finds $fault in files that are made for it", async ({ files, found }) => {
  await using dir = await tempDir();
  for (const [path, target] of Object.entries(files)) {
    mkdirSync(dirname(dir.join(path)), { recursive: true });
    const line =
      target === "" ? "" : `import type { Thing as Other } from "${target}";\nexport type More = Other;\n`;
    writeFileSync(dir.join(path), `${line}export interface Thing {}\n`);
  }
  writeFileSync(dir.join("tsconfig.json"), "{}");
  expect(violationsOf(await examine({ baseDir: dir.path })).toSorted()).toEqual(found);
});
