import { readFile } from "node:fs/promises";
import { cruise } from "dependency-cruiser";
import { options } from "../architecture.config.ts";

/** Returns ARCHITECTURE.md with the graph of imports between the folders of src/ as they are now. */
export async function renderArchitecture(): Promise<string> {
  const page = await readFile(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");
  const graph = await renderGraph();
  return page.replace(
    /(<!-- graph:begin -->\n).*(<!-- graph:end -->)/s,
    (_all, begin: string, end: string) => {
      return `${begin}\`\`\`mermaid\n${graph}\`\`\`\n${end}`;
    },
  );
}

async function renderGraph(): Promise<string> {
  const { output } = await cruise(["src"], { ...options, includeOnly: "^src/[^/]+/" });
  if (typeof output === "string") throw new TypeError("The cruise gave text instead of a result.");
  const folderOf = (path: string) => path.split("/")[1] ?? "";
  const edges = output.modules.flatMap((module) =>
    module.dependencies.map((each) => `  ${folderOf(module.source)} --> ${folderOf(each.resolved)}`),
  );
  const between = edges.filter((edge) => !/ (\S+) --> \1$/.test(edge));
  if (between.length === 0) throw new Error("The cruise saw no imports.");
  return `graph TD\n${[...new Set(between)].sort((one, other) => one.localeCompare(other)).join("\n")}\n`;
}
