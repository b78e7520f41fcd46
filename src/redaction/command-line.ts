import type { Range } from "../lib/marker.ts";
import { isGivenPassword } from "./secret-value.ts";

/** How a command takes a password. */
interface CommandForm {
  readonly commands: readonly string[];
  /** What must stand among the words before the flag. */
  readonly after?: string;
  readonly flags: readonly string[];
  /** The flag and the password are two words, one, or either. */
  readonly takes: "next" | "glued" | "either";
  /** The password alone, or behind the name of a user and a colon. */
  readonly holds: "password" | "login";
}

const forms: readonly CommandForm[] = [
  {
    // Behind a space stands the database: mysql -p main
    commands: [
      "mysql",
      "mysqldump",
      "mysqladmin",
      "mysqlimport",
      "mysqlshow",
      "mariadb",
      "mariadb-dump",
      "7z",
      "7za",
    ],
    flags: ["-p"],
    takes: "glued",
    holds: "password",
  },
  {
    commands: ["docker", "podman", "nerdctl", "skopeo", "buildah", "crane", "helm"],
    after: "login",
    flags: ["-p"],
    takes: "either",
    holds: "password",
  },
  { commands: ["redis-cli", "valkey-cli"], flags: ["-a", "--pass"], takes: "next", holds: "password" },
  { commands: ["sshpass"], flags: ["-p"], takes: "either", holds: "password" },
  {
    commands: ["mongo", "mongosh", "mongodump", "mongorestore", "cqlsh"],
    flags: ["-p"],
    takes: "next",
    holds: "password",
  },
  {
    commands: ["sqlcmd", "mosquitto_pub", "mosquitto_sub", "unzip"],
    flags: ["-P", "-pw"],
    takes: "next",
    holds: "password",
  },
  { commands: ["ldapsearch", "ldapadd", "ldapmodify"], flags: ["-w"], takes: "next", holds: "password" },
  {
    commands: ["curl"],
    flags: ["-u", "--user", "-U", "--proxy-user"],
    takes: "either",
    holds: "login",
  },
];

const formsOf = Map.groupBy(
  forms.flatMap((form) => form.commands.map((command) => ({ command, form }))),
  (each) => each.command,
);

/** The commands that are known to take passwords. */
export const knownCommands: readonly string[] = [...formsOf.keys()];

/** A word of a command line, without its quotes. */
export interface Word {
  readonly text: string;
  /** It follows the word before it without a gap: `-p"value"`. */
  readonly isGlued?: boolean;
}

/** A password in a command line: the number of its word, and where it stands in that. */
export interface WordFinding extends Range {
  readonly word: number;
}

/** Finds the passwords among the words that follow a command. */
export function findInWords(command: string, words: readonly Word[]): readonly WordFinding[] {
  const known = formsOf.get(command) ?? [];
  return known.flatMap(({ form }) =>
    words.flatMap((_, at) => {
      const place = locate(form, words, at);
      if (place === undefined || (form.after && !words.slice(0, at).some(({ text }) => text === form.after)))
        return [];
      return toFinding(form, words, place) ?? [];
    }),
  );
}

/** Returns where the value begins that the flag at a place has. */
function locate(form: CommandForm, words: readonly Word[], at: number): Omit<WordFinding, "end"> | undefined {
  const { text = "" } = words[at] ?? {};
  const next = words[at + 1];
  if (form.flags.includes(text))
    return next !== undefined && (form.takes !== "glued" || next.isGlued)
      ? { word: at + 1, start: 0 }
      : undefined;
  const flag = form.flags.find((each) => text.startsWith(each.startsWith("--") ? `${each}=` : each));
  if (flag === undefined) return undefined;
  const isLong = flag.startsWith("--");
  return isLong || form.takes !== "next" ? { word: at, start: flag.length + (isLong ? 1 : 0) } : undefined;
}

function toFinding(
  form: CommandForm,
  words: readonly Word[],
  { word, start }: Omit<WordFinding, "end">,
): WordFinding | undefined {
  const text = words[word]?.text ?? "";
  const colon = text.indexOf(":", start);
  if (form.holds === "login" && colon === -1) return undefined;
  const from = form.holds === "login" ? colon + 1 : start;
  if (!isArgument(text.slice(from))) return undefined;
  return { word, start: from, end: text.length };
}

/** A word with a capital is no placeholder here: these are written in letters of one case. */
function isArgument(value: string): boolean {
  return isGivenPassword(value) || /^[A-Z][a-z]{3,40}$/.test(value);
}
