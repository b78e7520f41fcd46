import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What a program answered. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Machine {
  readonly cwd: string;
  /** The folders of programs, instead of those that npm put in front for this test run. */
  readonly path: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end as a stranger would: with nothing of this test run's environment but what is named. */
export async function runOn(
  machine: Machine,
  program: string,
  args: readonly string[],
  input = "",
): Promise<Answer> {
  const env = { ...inherited(), PATH: machine.path, ...machine.env };
  const running = promisify(execFile)(program, args, { cwd: machine.cwd, env, maxBuffer: 256 * 1024 * 1024 });
  // A program that ends without reading its input says why with its code.
  running.child.stdin?.on("error", () => undefined);
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    return {
      code: typeof code === "number" ? code : 128,
      stdout: stdout ?? "",
      stderr: `${stderr}${code === "ENOENT" ? error : ""}`,
    };
  }
}

/** Its folders, and what npm needs to reach its registry from here: certificates, proxies and its configuration. */
function inherited(): NodeJS.ProcessEnv {
  const wanted =
    /^(HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_proxy|npm_config_(userconfig|globalconfig|cache|registry|cafile))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name)));
}

/** The machine's own programs: PATH without what npm adds for scripts. */
export function ownPath(): string {
  const added = (folder: string) =>
    folder.includes(join("node_modules", ".bin")) || folder.includes("node-gyp-bin");
  return (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => !added(folder))
    .join(":");
}
