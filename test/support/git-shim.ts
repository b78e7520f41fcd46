import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { gitEnv } from "./git-repo.ts";

/** What happens at one call of git: whoever called it is killed, before git has run or after. */
export interface Interruption {
  /** Which call, counted from 1; 0 interrupts none. */
  readonly call: number;
  readonly moment: "before" | "after";
}

/** A folder for PATH in which git writes down its calls and kills its caller at one of them. */
export interface GitShim {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns what git was called with, in order. */
  readCalls(): Promise<readonly string[]>;
}

/** Makes a git that interrupts its caller; behind it is the real one. */
export async function makeGitShim(folder: string, { call, moment }: Interruption): Promise<GitShim> {
  const calls = join(folder, "calls");
  await mkdir(calls, { recursive: true });
  // Calls that come at the same time must not get the same number.
  const script = `#!/bin/sh
set -C
n=1
until { true > '${calls}'/$n; } 2> /dev/null; do n=$((n + 1)); done
echo "$*" >> '${calls}'/$n
if [ $n -ne ${call} ]; then PATH=$REAL_PATH exec git "$@"; fi
${moment === "after" ? 'PATH=$REAL_PATH git "$@" > /dev/null 2>&1\n' : ""}kill -9 $PPID
exit 1
`;
  await writeFile(join(folder, "git"), script);
  await chmod(join(folder, "git"), 0o755);
  const env = { REAL_PATH: gitEnv.PATH, PATH: `${folder}${delimiter}${gitEnv.PATH}` };
  return {
    env,
    readCalls: async () => {
      const numbers = (await readdir(calls)).map(Number).toSorted((one, other) => one - other);
      return Promise.all(numbers.map((number) => readFile(join(calls, String(number)), "utf8")));
    },
  };
}
