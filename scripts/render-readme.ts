import { readFile } from "node:fs/promises";

/** Returns README.md with the example as it is in examples/, which a test runs. */
export async function renderReadme(): Promise<string> {
  const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), "utf8");
  const example = (await read("examples/record-a-session.ts"))
    .replace("../src/index.ts", "carryon")
    .trimEnd();
  return (await read("README.md")).replace(
    /(<!-- example:begin -->\n).*(<!-- example:end -->)/s,
    (_all, begin: string, end: string) => `${begin}\`\`\`ts\n${example}\n\`\`\`\n${end}`,
  );
}
