import { isObject } from "../../lib/field-readers.ts";
import { parseIfJson } from "../../lib/json.ts";
import { BadImport } from "../bad-import.ts";
import { lineName, type TextLine } from "../source.ts";
import { stateVersion } from "./rounds.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The kinds of lines that claude-master has written: each time all of a session, or what is new of it. */
const kinds: ReadonlySet<unknown> = new Set([
  "session-state",
  "session-metadata",
  "instructor-message",
  "worker-message",
]);

/** Tells whether the first line of a file is one of claude-master's; it may have been cut off. */
export function isSessionLine(line: string): boolean {
  const value = parseIfJson(line);
  if (isObject(value)) return kinds.has(value.type);
  return [...kinds].some((kind) => line.startsWith(`{"type":"${String(kind)}"`));
}

/** A session as far as its lines could be read. */
export interface JoinedLines {
  /** The document that says the same; undefined where no line tells which session it is. */
  readonly document: unknown;
  /** What ended the reading before the end. */
  readonly problem: BadImport | undefined;
}

/** Puts the lines of a session together to the document that claude-master wrote before it wrote lines. */
export async function joinSessionLines(lines: AsyncIterable<TextLine>): Promise<JoinedLines> {
  const joined = new SessionLines();
  try {
    for await (const line of lines) joined.take(line);
    return { document: joined.toDocument(), problem: undefined };
  } catch (error) {
    if (!(error instanceof BadImport)) throw error;
    return { document: joined.toDocument(), problem: error };
  }
}

class SessionLines {
  #first: Fields | undefined;
  #last: Fields | undefined;
  #instructor: unknown[] = [];
  #worker: unknown[] = [];

  take({ number, text }: TextLine): void {
    const line = parseIfJson(text);
    if (!isObject(line)) throw new BadImport(lineName(number), "it is no JSON object");
    switch (line.type) {
      case "instructor-message":
        this.#instructor.push(line.message);
        break;
      case "worker-message":
        this.#worker.push(line.message);
        break;
      case "session-metadata":
        this.#keep(line);
        break;
      case "session-state":
        this.#keep(line);
        this.#instructor = listIn(line.instructorMessages);
        this.#worker = listIn(line.workerMessages);
        break;
      default:
        throw new BadImport(lineName(number), "it is no line of a session of claude-master");
    }
  }

  #keep(line: Fields): void {
    this.#first ??= line;
    this.#last = line;
  }

  /** What each line tells of the session is as of its time; only the first one knows when it began. */
  toDocument(): unknown {
    const last = this.#last;
    if (last === undefined) return undefined;
    const { sessionId, currentRound, remainingRounds = null, workDir = "" } = last;
    const config = isObject(last.config) ? last.config : {};
    return {
      ...{ sessionId, currentRound, remainingRounds, version: stateVersion },
      createdAt: this.#first?.createdAt ?? this.#first?.timestamp,
      lastUpdatedAt: last.lastUpdatedAt ?? last.timestamp,
      config: { ...config, workDir },
      instructor: { conversationHistory: this.#instructor, systemPrompt: "" },
      worker: { conversationHistory: this.#worker },
      ...{ lastInstruction: "", lastInstructorResponse: null },
    };
  }
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
