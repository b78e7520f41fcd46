import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import {
  hookFile,
  hookFiles,
  hookScript,
  launcherFile,
  launchFile,
  locateProgram,
} from "../lib/hook-files.ts";
import { readText } from "../lib/read-text.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { FileChange } from "./file-change.ts";
import { type HookFile, readHookFiles } from "./read-hook-files.ts";

/** What a hook is run with. */
interface HookCommand {
  /** The absolute path of a fit Node. */
  readonly node: string;
  /** The absolute path of the bundled hook. */
  readonly hook: string;
}

/** Renders the command that a client's shell runs; where Node or the hook has gone, it does nothing and succeeds. */
export function renderHookCommand({ node, hook }: HookCommand): string {
  const [program, script] = [quote(node), quote(hook)];
  return `if [ -x ${program} ] && [ -f ${script} ]; then exec ${program} ${script}; fi`;
}

const quoted = String.raw`'((?:[^']|'\\'')*)'`;
const rendered = new RegExp(
  String.raw`^if \[ -x ${quoted} \] && \[ -f ${quoted} \]; then exec ${quoted} ${quoted}; fi$`,
);

/** Reads a command that `renderHookCommand` rendered; undefined for any other. */
export function parseHookCommand(command: string): HookCommand | undefined {
  const [, node, hook] = rendered.exec(command) ?? [];
  if (node === undefined || hook === undefined) return undefined;
  return { node: unquote(node), hook: unquote(hook) };
}

/** In single quotes a shell takes everything as it is but the quote itself. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function unquote(inner: string): string {
  return inner.replaceAll(String.raw`'\''`, "'");
}

/** How Carryon is started again. */
export interface Launch {
  readonly node: string;
  readonly launcher: string;
  readonly version: string;
}

const programs = [...hookFiles, launchFile, launcherFile, hookScript];

/** Plans the files that clients run: the hook, Carryon itself, and how the hook starts it. */
export async function planPrograms(home: string, launch: Launch): Promise<readonly FileChange[]> {
  const bundle = await readHookBundle(launch.node);
  const script = { node: launch.node, hook: locateProgram(home, hookFile) };
  const files = [
    ...bundle,
    { name: launchFile, text: `${JSON.stringify(launch)}\n` },
    { name: launcherFile, text: renderLauncher(launch), mode: 0o700 },
    { name: hookScript, text: `${renderHookCommand(script)}\n` },
  ];
  return Promise.all(
    files.map(async ({ name, text, ...file }) => {
      const path = locateProgram(home, name);
      return { ...file, path, before: await readText(path), after: text };
    }),
  );
}

/** Plans that these files go, and their folder with them. */
export function planNoPrograms(home: string): Promise<readonly FileChange[]> {
  return Promise.all(
    programs.map(async (name) => {
      const path = locateProgram(home, name);
      return { path, before: await readText(path), after: undefined, folders: [dirname(path)] };
    }),
  );
}

/** A command that somebody typed says why it cannot run; only hooks are silent. */
function renderLauncher({ node, launcher }: Launch): string {
  const [program, script] = [renderShellWord(node), renderShellWord(launcher)];
  return `#!/bin/sh
# Runs Carryon as it was found by \`carryon init\`, which wrote this.
if [ -x ${program} ] && [ -f ${script} ]; then exec ${program} ${script} "$@"; fi
echo 'carryon: Carryon or its Node has gone; run \`npx carryon init\` in a terminal.' >&2
exit 3
`;
}

/** Reads the hook as it was built with this package; in a checkout, where nothing was built, it is bundled. */
async function readHookBundle(node: string): Promise<readonly HookFile[]> {
  const built = await readHookFiles(fileURLToPath(new URL("../hooks", import.meta.url)));
  if (built !== undefined) return built;
  const { bundleHook } = await import("./bundle-hook.ts");
  return bundleHook(node);
}
