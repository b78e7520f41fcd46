/** What a pattern of a user may have at most: repetitions that can each take a whole line, tried at one place. */
const mostRepetitions = 3;
/** A repetition of at most so many characters is short. */
const shortRepetition = 16;

/**
 * Says what could make a pattern slow on some line; undefined where nothing could.
 *
 * What is left grows with the third power of a line's length at most, and lines are cut.
 */
export function whySlow(source: string): string | undefined {
  const shape = shapeOf(source);
  if (shape.includes("R")) return "it refers back to a group";
  const flat = withoutGroups(shape);
  if (flat === undefined) return "it repeats a group that itself repeats or chooses something";
  // One that may begin anywhere is tried at every place of the line.
  const places = source.startsWith("^") && !flat.includes("|") ? 0 : 1;
  // One at the end takes what is left and never gives it back.
  const repetitions = shape.replace(/L$/, "").replace(/[^L]/g, "").length;
  return places + repetitions > mostRepetitions ? "it has too many `*` and `+`" : undefined;
}

/**
 * Reduces a pattern to its groups, its choices, `R` for a reference, and what repeats: `L` long, `S` shortly, `O` once or
 * not. All else is `a`.
 */
function shapeOf(source: string): string {
  return source
    .replace(/[LSOR]/g, "a")
    .replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]/g, (piece) => (/^\\[1-9k]/.test(piece) ? "R" : "a"))
    .replace(/\(\?(?:[:=!]|<[=!]|<[^>]*>)/g, "(")
    .replace(/([*+?]|\{\d+(?:,\d*)?\})\??/g, (_, quantifier: string) => sizeOf(quantifier))
    .replace(/[^()|LSOR]/g, "a");
}

function sizeOf(quantifier: string): "L" | "S" | "O" {
  if (quantifier === "?") return "O";
  if (quantifier === "*" || quantifier === "+") return "L";
  const most = /^\{\d+,\}$/.test(quantifier)
    ? Number.POSITIVE_INFINITY
    : Number(/(\d+)\}$/.exec(quantifier)?.[1]);
  if (most <= 1) return "O";
  return most > shortRepetition ? "L" : "S";
}

/** Takes the groups away from the innermost on; undefined where one is repeated that has a variation in it. */
function withoutGroups(shape: string): string | undefined {
  let rest = shape;
  for (;;) {
    const group = /\(([^()]*)\)([LSO]?)/.exec(rest);
    if (group === null) return rest;
    const [all, inner = "", size = ""] = group;
    const isVariable = /[LSO|]/.test(inner);
    if (isVariable && /[LS]/.test(size)) return undefined;
    rest = rest.replace(all, isVariable || size !== "" ? "O" : "a");
  }
}
