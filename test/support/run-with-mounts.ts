import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { launcher } from "./test-context.ts";
import { worldIn } from "./work-world.ts";

/**
 * Runs shell commands in a world that may mount what they like: it is seen by nobody else and gone when they end.
 *
 * `$1` is the folder of the world, `carryon` is the program, whose exit code is printed.
 */
export async function runWithMounts(folder: string, commands: string): Promise<readonly string[]> {
  const program = `carryon() { "${process.execPath}" "${launcher}" "$@" 2>&1 || echo "exit $?"; }`;
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const shell = ["sh", "-ec", `${program}; ${commands}`, "sh", folder];
  const { env } = worldIn(folder);
  const { stdout } = await promisify(execFile)("unshare", [...rights, "--mount", ...shell], { env });
  return stdout.replaceAll(folder, "<folder>").trimEnd().split("\n");
}
