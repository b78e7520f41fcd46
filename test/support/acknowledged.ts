import { bundleScript } from "./bundle-script.ts";
import { startChild } from "./child.ts";

/**
 * Lets many children work at once, and returns the lines that they have printed: what they were promised.
 *
 * `killAfter` tells after how many lines a child is killed; undefined for one that may finish.
 */
export async function collectAcknowledged(
  count: number,
  script: string,
  argsOf: (index: number) => readonly string[],
  killAfter: (index: number) => number | undefined = () => undefined,
): Promise<readonly string[]> {
  await using bundle = await bundleScript(script);
  const work = async (index: number) => {
    await using child = startChild(bundle.path, ...argsOf(index));
    const lines: string[] = [];
    for (let line = await child.next(); line !== undefined; line = await child.next()) {
      if (lines.push(line) === killAfter(index)) child.kill("SIGKILL");
    }
    return lines;
  };
  return (await Promise.all(Array.from({ length: count }, (_, index) => work(index)))).flat();
}
