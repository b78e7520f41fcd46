/** An ending, what takes its place, and the least measure of what stands before it. */
type Rule = readonly [ending: string, replacement: string, measure: number];

function listRules(measure: number, text: string): readonly Rule[] {
  return text.split(" ").map((each) => {
    const [ending = "", replacement = ""] = each.split(">");
    return [ending, replacement, measure];
  });
}

/**
 * The endings of English words in the order of Porter's algorithm (1980): of each list the first that fits counts.
 *
 * Unlike there, a y after a vowel stays: deploy, deployed and deployment have one stem.
 */
const derived = listRules(
  1,
  "ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous ization>ize ation>ate " +
    "ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble",
);
const relating = listRules(1, "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>");
const dropped = listRules(
  2,
  "al ance ence er ic able ible ant ement ment ent sion>s tion>t ou ism ate iti ous ive ize",
);

const plainWord = /^[a-z]{3,32}$/;

/** Returns what the forms of an English word have in common; a word that is none is its own stem. */
export function stemOf(word: string): string {
  if (!plainWord.test(word)) return word;
  let stem = withoutPlural(word);
  stem = withoutTense(stem);
  if (/.[^aeiou]y$/.test(stem)) stem = `${stem.slice(0, -1)}i`;
  for (const rules of [derived, relating, dropped]) stem = apply(rules, stem);
  return tidy(stem);
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  // Not this, yes or bus.
  return /[aeiouy].*[^su]s$/.test(word) && /[aeiou].+s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const [, stem = ""] = /^(.*)(?:ed|ing)$/.exec(word) ?? [];
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeioulsz])\1$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function apply(rules: readonly Rule[], word: string): string {
  const rule = rules.find(([ending]) => word.length > ending.length && word.endsWith(ending));
  if (rule === undefined) return word;
  const [ending, replacement, least] = rule;
  const stem = word.slice(0, word.length - ending.length);
  return measure(stem + (least === 2 ? replacement : "")) >= least ? stem + replacement : word;
}

function tidy(word: string): string {
  const stem = word.slice(0, -1);
  if (word.endsWith("e")) return measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)) ? stem : word;
  return word.endsWith("ll") && measure(stem) > 1 ? stem : word;
}

/** Writes a word with 1 for vowels and 0 for consonants; y is a vowel after a consonant. */
function shapeOf(word: string): string {
  return word
    .replace(/[aeiou]/g, "1")
    .replace(/(?<=[^1])y/g, "1")
    .replace(/[a-z]/g, "0");
}

function hasVowel(word: string): boolean {
  return shapeOf(word).includes("1");
}

/** Counts how often consonants follow vowels. */
function measure(word: string): number {
  return shapeOf(word).split(/1+0+/).length - 1;
}

/** Tells whether a word ends like hop, but not like snow, box or tray. */
function endsShort(word: string): boolean {
  return shapeOf(word).endsWith("010") && !/[wxy]$/.test(word);
}

const endings = (
  "s es ed d ing ings er ers or ors ion ions ional ioning ation ations ational ative atives ator ators ate ates ated ating " +
  "ately able ably ability abilities ible ibly ibility ibilities al als ally ality alize alized alizing alizer alization " +
  "ance ances ant ence ences ency encies ent ents ently ment ments ement ements ness ful fully fulness eful e ely eness " +
  "ity ities ive ives ively iveness ivity ize izes ized izing izer izers ization izations ism ist ists ous ously ousness " +
  "ic ics ical ically icate icated icates icating ication ications ly y ying ies ied"
).split(" ");

/** Returns the forms of an English word that have its stem, the word among them; of any other word itself. */
export function formsOf(word: string): readonly string[] {
  if (!plainWord.test(word)) return [word];
  const stem = stemOf(word);
  const last = stem.slice(-1);
  const bases = [stem, stem + last, ...(/[il]$/.test(stem) ? [stem.slice(0, -1)] : [])];
  const forms = bases.flatMap((base) => [base, ...endings.map((ending) => base + ending)]);
  return [...new Set([word, ...forms.filter((form) => stemOf(form) === stem)])];
}
