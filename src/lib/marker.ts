/** What every marker begins with; a text without it holds none. */
export const markerOpening = "[redacted:";
const anyMarker = /\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{8}\]/g;

/** A stretch of a text, from its first character to the one behind its last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns where the markers of a text are, in order. */
export function findMarkers(text: string): readonly Range[] {
  if (!text.includes(markerOpening)) return [];
  return Array.from(text.matchAll(anyMarker), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Returns where to cut a text so that no marker is divided: at the given place, or before the marker that it is in. */
export function cutOutsideMarker(text: string, place: number): number {
  return findMarkers(text).find(({ start, end }) => start < place && place < end)?.start ?? place;
}
