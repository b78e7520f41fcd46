import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { InboxItem } from "../../src/sessions/inbox.ts";
import { openInbox } from "../../src/storage/open-inbox.ts";
import { tempDir } from "./temp-dir.ts";

/** What the client sees of a hook that went well: nothing. */
export const silence = { code: 0, stdout: "", stderr: "" };

/** The events of Claude Code that a hook records. */
export const recordedEvents: readonly string[] = [
  ...["SessionStart", "SessionEnd", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse"],
  ...["PostToolUseFailure", "PostToolBatch", "SubagentStop", "PreCompact", "PostCompact", "Stop"],
];

/** The bundled hook in a home of its own. */
export interface TestHook extends AsyncDisposable {
  readonly home: string;
  /** The program that a client runs. */
  readonly bundle: string;
  /** Runs the hook as a client does. */
  readonly run: (payload: unknown, env?: Readonly<Record<string, string>>) => Promise<typeof silence>;
  /** Returns what is in the inbox. */
  readonly inbox: () => Promise<readonly InboxItem[]>;
  /** Returns the files of the spool. */
  readonly spool: () => Promise<readonly string[]>;
  /** Returns the lines of the log. */
  readonly log: () => Promise<readonly string[]>;
}

let bundled: Promise<string> | undefined;

/** Bundles the hook once for all tests of a file. */
function bundleHook(): Promise<string> {
  bundled ??= bundle(join(tmpdir(), `hook-${process.pid}-${Date.now()}`));
  return bundled;
}

async function bundle(folder: string): Promise<string> {
  const script = fileURLToPath(new URL("../../scripts/bundle-hook.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: "inherit" });
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error("The hook could not be bundled.");
  return folder;
}

/** Makes a home with the hook in it, and with a store unless told. */
export async function openHook({ store = true }: { readonly store?: boolean } = {}): Promise<TestHook> {
  const dir = await tempDir();
  const home = dir.join("home");
  const file = join(home, "bin", "carryon-hook.cjs");
  await cp(await bundleHook(), join(home, "bin"), { recursive: true });
  if (store) await (await openInbox(home))[Symbol.asyncDispose]();
  return {
    home,
    bundle: file,
    run: async (payload, env = {}) => {
      const child = spawn(process.execPath, [file], { cwd: dir.path, env: { HOME: dir.path, ...env } });
      child.stdin.on("error", () => undefined);
      child.stdin.end(typeof payload === "string" ? payload : JSON.stringify(payload));
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { code: child.exitCode ?? -1, stdout, stderr };
    },
    inbox: async () => {
      const inbox = await openInbox(home);
      try {
        return await inbox.take(1000);
      } finally {
        await inbox[Symbol.asyncDispose]();
      }
    },
    spool: () => readdir(join(home, "spool")).catch(() => []),
    log: async () => {
      const lines = await readFile(join(home, "carryon.log"), "utf8").catch(() => "");
      return lines.split("\n").filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** A payload of a prompt. */
export function promptOf(prompt: string): Readonly<Record<string, unknown>> {
  return { session_id: "s-1", cwd: "/nowhere", hook_event_name: "UserPromptSubmit", prompt };
}
