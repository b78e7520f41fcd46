import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { type CommandEnd, runCommand } from "../../lib/run-command.ts";
import type { CommandContext } from "../command-context.ts";
import { makeFiles } from "./scratch-files.ts";

/** A folder with its own home, project and store, in which the real program runs. */
export interface Scratch {
  readonly folder: string;
  /** Runs a line of shell in the project. An abort ends all processes of the line. */
  run(line: string, signal: AbortSignal): Promise<CommandEnd>;
  remove(): Promise<void>;
}

const lineTimeoutMs = 60_000;

/** Makes the folder. Programs in it see nothing of the user's own home and environment. */
export async function openScratch({ program, env }: CommandContext, modelUrl: string): Promise<Scratch> {
  const folder = await makeFolder(tmpdir());
  for (const [path, text] of Object.entries(makeFiles(folder, program))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { mode: path.startsWith("bin/") ? 0o700 : 0o600 });
  }
  const place = {
    cwd: join(folder, "login-service"),
    env: {
      PATH: `${join(folder, "bin")}:${env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      NO_COLOR: "1",
      ANTHROPIC_API_KEY: "made-up-for-the-tour",
      ANTHROPIC_BASE_URL: modelUrl,
    },
    timeoutMs: lineTimeoutMs,
  };
  return {
    folder,
    run: (line, signal) => runCommand(["sh", "-c", line], { ...place, signal }),
    // A process that a hook left behind may still write.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function makeFolder(parent: string): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(parent, "carryon-tour-")));
  } catch (cause) {
    if (!isSystemError(cause, "ENOENT", "ENOTDIR")) throw writeFailed(parent, cause);
    throw new AppError(`The folder for temporary files does not exist: ${parent}`, {
      kind: "usage",
      code: "no-temp-folder",
      hint: "Set TMPDIR to a folder that exists, or unset it.",
      cause,
    });
  }
}
