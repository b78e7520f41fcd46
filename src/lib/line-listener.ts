import { StringDecoder } from "node:string_decoder";

/** Hears bytes as they come, and tells them line by line. */
export interface LineListener {
  write(chunk: Uint8Array): void;
  /** Tells what has no end of line. */
  end(): void;
}

/** Is told a line, or after a pause the part of it that has come so far; what follows goes on where that ended. */
export type Hear = (text: string, upTo: "end" | "pause") => void;

/** A question that waits for an answer has no end of line. */
const usualPauseMs = 200;

/**
 * Returns what tells each line of a text in UTF-8 as soon as it is there; a carriage return ends a line too.
 *
 * A line that stops half-way, as a question does, is told as far as it has come.
 */
export function listenToLines(hear: Hear, pauseMs: number = usualPauseMs): LineListener {
  const decoder = new StringDecoder("utf8");
  let [rest, isBegun] = ["", false];
  let pause: NodeJS.Timeout | undefined;
  const take = (text: string): void => {
    clearTimeout(pause);
    const lines = `${rest}${text}`.split(/\r\n|\n|\r(?=[^\n])/);
    rest = lines.pop() ?? "";
    for (const line of lines) tell(line, "end");
    if (rest !== "" && rest !== "\r") pause = setTimeout(tellBegun, pauseMs);
  };
  const tell = (text: string, upTo: "end" | "pause"): void => {
    isBegun = upTo === "pause";
    hear(text, upTo);
  };
  const tellBegun = (): void => {
    // A carriage return may be the first half of the end of the line.
    const end = rest.endsWith("\r") ? -1 : rest.length;
    tell(rest.slice(0, end), "pause");
    rest = rest.slice(end);
  };
  return {
    write: (chunk) => take(decoder.write(chunk)),
    end: () => {
      take(decoder.end());
      clearTimeout(pause);
      if (rest !== "" || isBegun) tell(rest.replace(/\r$/, ""), "end");
      rest = "";
    },
  };
}
