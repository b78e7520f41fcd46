/** What is known of a text before the command runs. */
export interface KnownText {
  /** How it begins for certain. */
  readonly text: string;
  /** What may follow: nothing, more of a name or path, anything inside the same word, or further words too. */
  readonly rest: "nothing" | "tame" | "word" | "wild";
}

/** One word that a program is given; a wild one stands for any number of words. */
export type Argument = KnownText;

export const exactly = (text: string): KnownText => ({ text, rest: "nothing" });
/** Some text that is no option: a path, a number, a name of a file. */
export const tame: KnownText = { text: "", rest: "tame" };
export const wild: KnownText = { text: "", rest: "wild" };

export const isExact = ({ rest }: KnownText): boolean => rest === "nothing";

/** Tells whether a word is exactly a text. */
export const equals = (known: KnownText | undefined, text: string): boolean =>
  known !== undefined && known.rest === "nothing" && known.text === text;

/** Longer texts are not put together: a variable may double itself. */
const longest = 200_000;

/** Returns what is known of two texts that stand one behind the other. */
export function join(first: KnownText, second: KnownText): KnownText {
  if (first.text.length + second.text.length > longest) return { text: first.text, rest: "wild" };
  if (first.rest === "nothing") return { text: first.text + second.text, rest: second.rest };
  return { text: first.text, rest: ranks[second.rest] > ranks[first.rest] ? second.rest : first.rest };
}

const ranks: Readonly<Record<KnownText["rest"], number>> = { nothing: 0, tame: 1, word: 2, wild: 3 };

/** Tells whether a word may turn out as an option. */
export const mayBeOption = ({ rest }: Argument): boolean => rest === "word" || rest === "wild";

/** Returns the words as one text with blanks between them. */
export function joinWords(words: readonly Argument[]): KnownText {
  return words.reduce(
    (line, word, index) => join(line, index === 0 ? word : join(exactly(" "), word)),
    exactly(""),
  );
}

const device = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|pts\/\d+|fd\/\d+)$/;

/** Tells whether writing to a target leaves every file as it is: a device, or a pipe of the shell. */
export function isDevice(target: Argument | undefined): boolean {
  if (target === undefined) return false;
  return isExact(target)
    ? device.test(target.text)
    : target.rest === "tame" && target.text.startsWith("/dev/fd/");
}

/** Tells whether a target is a device, or `-`, by which some programs mean their output. */
export const isOutput = (target: Argument | undefined): boolean => equals(target, "-") || isDevice(target);
