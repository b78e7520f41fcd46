import { styleText } from "node:util";

const formats = [
  "bold",
  "dim",
  "italic",
  "underline",
  "strikethrough",
  "red",
  "green",
  "yellow",
  "cyan",
] as const;

export type TextStyle = (text: string) => string;
export type Style = Readonly<Record<(typeof formats)[number], TextStyle>>;

/** Makes the functions that colour text; without colours each returns its text as it is. */
export function makeStyle({ colors }: { readonly colors: boolean }): Style {
  const make = (format: (typeof formats)[number]): TextStyle =>
    // Whether colours are wanted was decided by the caller, so the stream and the environment are not asked again.
    colors ? (text) => styleText(format, text, { validateStream: false }) : (text) => text;
  return Object.fromEntries(formats.map((format) => [format, make(format)])) as Style;
}

/** How text is shown: with which colours, and how wide. */
export interface Look {
  readonly style: Style;
  /** The width of the terminal; undefined in a pipe. */
  readonly columns: number | undefined;
}

/** For readers who are no terminal: no colours, and lines of any length. */
export const plainLook: Look = { style: makeStyle({ colors: false }), columns: undefined };

export interface ColorFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** Tells whether to print colours: NO_COLOR decides first, then FORCE_COLOR (`0` means none), then the terminal. */
export function wantsColors({ env, isTerminal }: ColorFacts): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return env.TERM === "dumb" ? false : isTerminal;
}
