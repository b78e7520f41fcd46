import { resolve } from "node:path";

/** A word that leads out of the folder in which a command runs: from the top, from the user's home, or upwards. */
const leading =
  /(?:^|[\s"'`=:(<>{,])((?:~|\$HOME|\$\{HOME\}|\.\.)?\/[^\s"'`;|&<>()${},]*|\.\.)(?=$|[\s"'`;|&<>()${},])/g;

/** Of a longer text, or of more words than this, the rest is not looked at: nobody writes that by hand. */
const [longest, most] = [20_000, 50];

/** Returns the paths that a command names and that may be elsewhere than where it runs. Its shell may still see others. */
export function findPathWords(
  command: string,
  { cwd, userHome }: { readonly cwd: string; readonly userHome: string },
): readonly string[] {
  const words = [...command.slice(0, longest).matchAll(leading)].slice(0, most).map(([, word = ""]) => word);
  return [...new Set(words)].map((word) =>
    resolve(
      cwd,
      word.replace(/^(?:~|\$HOME|\$\{HOME\})/, () => userHome),
    ),
  );
}
