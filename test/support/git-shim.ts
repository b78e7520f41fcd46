import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { gitEnv } from "./git-repo.ts";

/** What happens at one call of git: whoever called it is killed, before git has run or after. */
export interface Interruption {
  /** Which call, counted from 1; 0 interrupts none. */
  readonly call: number;
  readonly moment: "before" | "after";
}

/** A folder for PATH in which git counts its calls and kills its caller at one of them. */
export interface GitShim {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns how often git has been called. */
  countCalls(): Promise<number>;
}

/** Makes a git that interrupts its caller; behind it is the real one. */
export async function makeGitShim(folder: string, { call, moment }: Interruption): Promise<GitShim> {
  await mkdir(folder, { recursive: true });
  const calls = join(folder, "calls");
  await writeFile(calls, "");
  const script = `#!/bin/sh
echo call >> '${calls}'
if [ "$(wc -l < '${calls}')" -ne ${call} ]; then PATH=$REAL_PATH exec git "$@"; fi
${moment === "after" ? 'PATH=$REAL_PATH git "$@" > /dev/null 2>&1\n' : ""}kill -9 $PPID
exit 1
`;
  await writeFile(join(folder, "git"), script);
  await chmod(join(folder, "git"), 0o755);
  const env = { ...gitEnv, REAL_PATH: gitEnv.PATH, PATH: `${folder}${delimiter}${gitEnv.PATH}` };
  return { env, countCalls: async () => (await readFile(calls, "utf8")).split("\n").length - 1 };
}
