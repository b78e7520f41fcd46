import { findInWords } from "./command-line.ts";
import { findSecrets } from "./find-secrets.ts";
import type { Finding } from "./rule.ts";
import { readSecretName } from "./secret-name.ts";
import { looksLikePassword } from "./secret-value.ts";

/** A secret of a list: which item holds it, and where. */
export interface ItemFinding extends Finding {
  readonly item: number;
}

/** Finds secrets that only a list as a whole shows: the lines of a private key, and the arguments of a command. */
export function findInList(items: readonly unknown[]): readonly ItemFinding[] {
  if (!items.some((item) => typeof item === "string" && (item.startsWith("-") || item.includes(header))))
    return [];
  const texts = items.map((item) => (typeof item === "string" ? item : ""));
  return [...findOverLines(texts), ...findInArguments(texts)];
}

const flag = /^--?[A-Za-z][A-Za-z0-9_.-]{0,80}$/;

/** Returns the flag before an item that calls it a secret: `"--password"`. */
export function flagBefore(items: readonly unknown[], index: number): string | undefined {
  const before = items[index - 1];
  if (typeof before !== "string" || !flag.test(before)) return undefined;
  return readSecretName(before) === undefined ? undefined : before;
}

const header = "-----BEGIN ";

/** No line of a key tells that it is one, but for the first. */
function findOverLines(lines: readonly string[]): readonly ItemFinding[] {
  if (!lines.some((line) => line.includes(header))) return [];
  const keys = findSecrets(lines.join("\n")).filter(({ kind }) => kind === "private-key");
  const found: ItemFinding[] = [];
  let from = 0;
  let next = 0;
  lines.forEach((line, item) => {
    while ((keys[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    const key = keys[next];
    const start = Math.max((key?.start ?? Number.POSITIVE_INFINITY) - from, 0);
    const end = Math.min((key?.end ?? 0) - from, line.length);
    if (start < end) found.push({ item, kind: "private-key", start, end });
    from += line.length + 1;
  });
  return found;
}

/** Commands whose -p names a port, a path, a process or a prompt. */
const otherwise =
  /^(?:mkdir|ssh|scp|sftp|docker|podman|cp|mv|tsc|patch|ps|lsof|nc|claude|codex|gemini|node|deno|bun|python3?|perl|ruby|install|touch|bash|sh|zsh|read|type|pgrep|nmap|pytest|cargo|go|make|jest|npm|npx|pnpm|yarn|git|tar|kubectl|tmux|screen|ping|rsync|adb|systemctl|journalctl|top|strace|perf|gdb)$/;

function findInArguments(words: readonly string[]): readonly ItemFinding[] {
  const command = (words[0] ?? "")
    .slice(-64)
    .replace(/^.{0,64}\//, "")
    .toLowerCase();
  const known = findInWords(
    command,
    words.map((text) => ({ text })),
  );
  const found = known.map(({ word, start, end }) => ({ item: word, kind: "command-password", start, end }));
  if (found.length > 0 || otherwise.test(command)) return found;
  return words.flatMap((word, item) =>
    words[item - 1] === "-p" && !/[./:]/.test(word) && looksLikePassword(word)
      ? [{ item, kind: "command-password", start: 0, end: word.length }]
      : [],
  );
}
