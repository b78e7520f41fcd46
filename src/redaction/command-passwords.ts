import { findInWords, knownCommands } from "./command-line.ts";
import { readWords } from "./read-words.ts";
import type { Finding, ReaderRule, Rule } from "./rule.ts";
import { isGivenPassword, looksLikePassword } from "./secret-value.ts";

const none: readonly Finding[] = [];

/** Passwords that the commands of a table take. */
const commandRule: ReaderRule = {
  keywords: knownCommands,
  read: ({ text }, { start, end }) => {
    if (!isWholeWord(text, start, end)) return none;
    const words = readWords(text, end);
    return findInWords(text.slice(start, end).toLowerCase(), words).map((found) => {
      const from = words[found.word]?.start ?? 0;
      return { kind: "command-password", start: from + found.start, end: from + found.end };
    });
  },
};

/** Tells whether a command stands for itself, or at the end of a path; a marker before it was part of a word. */
function isWholeWord(text: string, start: number, end: number): boolean {
  return !/[A-Za-z0-9_.@\]-]/.test(text[start - 1] ?? " ") && /[ \t\\"']/.test(text[end] ?? "");
}

/** Passwords among the arguments of commands. */
export const commandPasswordRules: readonly Rule[] = [
  {
    kind: "command-password",
    keywords: [" -u ", "--user "],
    source: String.raw`(?: -u|--user) ["']?[^\s:"'@\[]{1,64}:(?<secret>[^\s"'\[]{6,128})`,
    isSecret: looksLikePassword,
  },
  {
    // mysql -psecret
    kind: "command-password",
    keywords: [" -p"],
    source: String.raw` -p["']?(?<secret>[A-Za-z0-9!@#$%^&*_+=.-]{6,64})(?=["'\s]|$)`,
    isSecret: isMixedPassword,
  },
  {
    // openssl -passin pass:secret
    kind: "command-password",
    keywords: [" pass:"],
    source: String.raw`(?<=-pass(?:in|out)?) pass:(?<secret>[^\s"'\x60]{4,128})`,
    isSecret: isGivenPassword,
  },
  {
    kind: "command-password",
    keywords: ["requirepass ", "masterauth "],
    source: String.raw`(?:requirepass|masterauth) ["']?(?<secret>[^\s"'\x60]{4,128})`,
    isSecret: isGivenPassword,
  },
  commandRule,
];

function isMixedPassword(secret: string): boolean {
  return (
    /[a-z]/.test(secret) &&
    /[A-Z!@#$%^&*+=]/.test(secret) &&
    /[0-9]/.test(secret) &&
    looksLikePassword(secret)
  );
}
