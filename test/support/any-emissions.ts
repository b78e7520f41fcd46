import fc from "fast-check";
import { sessionOfClient } from "./claude-transcripts.ts";

/** One writing of a row, whose place says which row of the conversation it is. */
interface Emission {
  readonly place: number;
  readonly text: string;
}

/** A row of a prompt, as the client writes it. */
export type EmittedRow = ReturnType<typeof toRow>;

/**
 * Any writings of a few rows, each of which follows the one before it: none comes before its parent, but again at any
 * time, with any content, also with one that it had before another.
 */
export const anyEmissions: fc.Arbitrary<readonly EmittedRow[]> = fc
  .array(fc.record({ back: fc.nat(3), text: fc.constantFrom("a", "b", "c") }), {
    ...{ minLength: 1, maxLength: 30, size: "max" },
  })
  .map((steps) => {
    const emissions: Emission[] = [];
    for (const { back, text } of steps) {
      const next = new Set(emissions.map(({ place }) => place)).size;
      emissions.push({ place: Math.max(0, next - back), text });
    }
    return emissions.map(toRow);
  });

function toRow({ place, text }: Emission) {
  const uuid = idOf(place);
  return {
    ...{ type: "user", uuid, parentUuid: place === 0 ? null : idOf(place - 1), isSidechain: false },
    ...{ sessionId: sessionOfClient, cwd: "/home/me", version: "2.1.325", promptId: `prompt-${place}` },
    timestamp: new Date(Date.UTC(2026, 10, 15, 0, 0, place)).toISOString(),
    message: { role: "user", content: text },
  };
}

function idOf(place: number): string {
  return `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
}

/** Returns what the client shows of such rows: each once, with what it held last. */
export function lastOf(rows: readonly EmittedRow[]): readonly (readonly [uuid: string, text: string])[] {
  return [...new Map(rows.map(({ uuid, message }) => [uuid, message.content]))];
}
