/** Tells of a keyword: its number in the list, and where it begins. */
type OnKeyword = (keyword: number, start: number) => void;

/**
 * Finds all of many keywords in one pass, in whatever case they are written, also where they overlap.
 *
 * Reports them in the order in which they end.
 */
export type KeywordScanner = (text: string, onKeyword: OnKeyword) => void;

/** A row of the table has a step for each class of characters: those of the keywords, and 0 for all others. */
const rowBits = 6;
const rowSize = 1 << rowBits;
const none = -1;

/** States are numbers; 0 is the beginning. All arrays but the first two have one element for each state. */
interface Automaton {
  readonly classOf: Uint8Array;
  /** The next state, for each state and class of characters; its complement, which is negative, where keywords end. */
  readonly steps: Int16Array;
  /** Where among the steps the one is that leads to a state from what it has read but the last character. */
  readonly places: Int32Array;
  readonly depths: Uint8Array;
  /** The state of the longest proper end of what a state has read. */
  readonly fallbacks: Int16Array;
  /** The keyword that a state has read, or `none`. */
  readonly keywordOf: Int16Array;
  /** The next state on the way of fallbacks that has read a keyword, beginning with the state itself; 0 if there is none. */
  readonly endings: Int16Array;
}

/**
 * Makes a scanner for keywords in lower-case ASCII.
 *
 * It is the automaton of Aho and Corasick with every step in one table: a character costs one look-up, however many
 * keywords there are.
 */
export function makeKeywordScanner(keywords: readonly string[]): KeywordScanner {
  const automaton = build(keywords);
  const { classOf, steps, depths, fallbacks, keywordOf, endings } = automaton;
  const report = (state: number, end: number, onKeyword: OnKeyword): void => {
    for (let at = endings[state] ?? 0; at !== 0; at = endings[fallbacks[at] ?? 0] ?? 0)
      onKeyword(keywordOf[at] ?? none, end - (depths[at] ?? 0));
  };
  return (text, onKeyword) => {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      state = steps[(state << rowBits) | (code < 128 ? (classOf[code] as number) : 0)] as number;
      if (state >= 0) continue;
      state = ~state;
      report(state, index + 1, onKeyword);
    }
  };
}

function build(keywords: readonly string[]): Automaton {
  const most = keywords.reduce((sum, keyword) => sum + keyword.length, 1);
  const automaton = {
    classOf: classify(keywords),
    steps: new Int16Array(most << rowBits),
    places: new Int32Array(most),
    depths: new Uint8Array(most),
    fallbacks: new Int16Array(most),
    keywordOf: new Int16Array(most).fill(none),
    endings: new Int16Array(most),
  };
  grow(automaton, keywords);
  return automaton;
}

function classify(keywords: readonly string[]): Uint8Array {
  const classOf = new Uint8Array(128);
  const characters = [...new Set(keywords.join(""))];
  if (characters.length >= rowSize) throw new RangeError("The keywords use too many different characters.");
  characters.forEach((character, index) => {
    classOf[character.charCodeAt(0)] = index + 1;
    classOf[character.toUpperCase().charCodeAt(0)] = index + 1;
  });
  return classOf;
}

/**
 * Makes the states level by level: those that have read one character of a keyword, two, three.
 *
 * Before a state has a step of its own, its row says where its fallback goes. So the row of a new state begins as a
 * copy of its fallback's, which is complete by then, and the step that it replaces is its fallback. Keywords that begin
 * alike share states. Every loop is over keywords or states: one over all steps would take most of the time.
 */
function grow(automaton: Automaton, keywords: readonly string[]): void {
  const reached = new Int16Array(keywords.length);
  const longest = Math.max(0, ...keywords.map((keyword) => keyword.length));
  for (let depth = 0, first = 1; depth < longest; depth += 1) {
    const states = readOn(automaton, keywords, { reached, depth, states: first });
    // What ends in any of them is known before one of their steps is copied.
    for (let state = first; state < states; state += 1) complete(automaton, state);
    for (let state = first; state < states; state += 1) copyRow(automaton, state);
    first = states;
  }
}

/** Reads one more character of every keyword that has one, and returns how many states there are then. */
function readOn(
  automaton: Automaton,
  keywords: readonly string[],
  level: { readonly reached: Int16Array; readonly depth: number; readonly states: number },
): number {
  const { reached, depth } = level;
  let { states } = level;
  for (let index = 0; index < keywords.length; index += 1) {
    const keyword = keywords[index] as string;
    if (depth >= keyword.length) continue;
    const state = advance(automaton, reached[index] as number, keyword.charCodeAt(depth), states);
    if (state === states) states += 1;
    if (depth === keyword.length - 1) automaton.keywordOf[state] = index;
    reached[index] = state;
  }
  return states;
}

/** Returns the state that follows another on the way of a keyword; `fresh` is made that state if it has none yet. */
function advance(automaton: Automaton, from: number, code: number, fresh: number): number {
  const { classOf, steps, places, depths, fallbacks } = automaton;
  const at = (from << rowBits) | (classOf[code] as number);
  const depth = (depths[from] as number) + 1;
  const step = steps[at] as number;
  const known = step < 0 ? ~step : step;
  if (depths[known] === depth) return known;
  fallbacks[fresh] = known;
  depths[fresh] = depth;
  places[fresh] = at;
  steps[at] = fresh;
  return fresh;
}

/** Finds out what ends in a state. Told by the sign of the step, the common case needs no second look-up. */
function complete({ steps, places, fallbacks, keywordOf, endings }: Automaton, state: number): void {
  const ending = keywordOf[state] === none ? (endings[fallbacks[state] as number] as number) : state;
  endings[state] = ending;
  if (ending !== 0) steps[places[state] as number] = ~state;
}

function copyRow({ steps, fallbacks }: Automaton, state: number): void {
  const fallback = fallbacks[state] as number;
  steps.copyWithin(state << rowBits, fallback << rowBits, (fallback + 1) << rowBits);
}
