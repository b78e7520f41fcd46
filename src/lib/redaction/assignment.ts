import { readValue } from "./assigned-value.ts";
import type { ReaderRule } from "./rule.ts";
import { nameSuffix, readSecretName, secretWords } from "./secret-name.ts";
import type { Form } from "./secret-value.ts";

/** How a name and a value are joined, and what that says about the value. */
interface Joint {
  readonly form: Form;
  readonly source: string;
  /** How the name must be written, with the character before it. */
  readonly name?: RegExp;
}

/** The end of a name that stands in quotes or brackets. */
const nameEnd = String.raw`\\{0,3}["'\x60]?\]?`;
/** A value may begin on the next line: in a folded block, pretty printed JSON, a continued command. */
const nextLine = String.raw`(?:(?:[|>][+-]?[ \t]{0,8})?\\?\r?\n[+-]?[ \t]{0,40})?`;

/** In the order in which they are tried. */
const joints: readonly Joint[] = [
  // NAME=value, as in the files and commands that set the environment; in a URL it would be a parameter.
  {
    form: "environment",
    source: String.raw`=(?![=\s])`,
    name: /^[^A-Za-z0-9_.?&-]?[A-Z][A-Z0-9_]{2,80}$/,
  },
  {
    form: "written",
    source: String.raw`${nameEnd}[ \t]{0,20}(?:=>|:=|[?|+]{0,2}={1,3}|:(?!:))[ \t]{0,20}${nextLine}`,
  },
  // password: &str = "value"
  { form: "quoted", source: String.raw`[!?]?: ?[&A-Za-z][A-Za-z0-9<>|.' ]{0,40}=[ \t]{0,8}` },
  // --token value
  { form: "written", source: String.raw`[ \t]{1,8}`, name: /^[\s"'[,]?--?[A-Za-z][A-Za-z0-9_-]{0,80}$/ },
  // <password>value</password>
  { form: "written", source: ">", name: /^<[A-Za-z][A-Za-z0-9_.-]{0,80}$/ },
  { form: "written", source: String.raw`</key>\s{0,40}<string>` },
  // name: API_KEY, and on the next line value: …
  { form: "written", source: String.raw`["']?,?\s{1,60}["']?value["']?[ \t]{0,8}[:=][ \t]{0,8}` },
  // setToken("value"), headers.set("x-api-key", "value")
  { form: "called", source: String.raw`["']?[ \t]{0,4}[(,][ \t]{0,4}` },
  { form: "told", source: String.raw`["'\x60]?[ \t]{1,4}(?:is|was|ist|est|es)[ \t:]{1,4}` },
  // Authorization: token value
  { form: "told", source: String.raw`[ \t]{1,2}(?=[A-Za-z0-9_-]{20})`, name: /(?:token|secret|key)$/i },
  { form: "written", source: "(?:%22)?%3[ad](?:%20)?(?:%22)?" },
];

const patterns = joints.map((joint) => ({ ...joint, pattern: new RegExp(nameSuffix + joint.source, "iy") }));
/** Most names are followed by none of the joints; one look tells. */
const anyJoint = new RegExp(`${nameSuffix}(?:${joints.map((joint) => joint.source).join("|")})`, "iy");
const longestName = 64;

/** Values whose name says that they are secret: in source code, settings, environment files, URLs, commands and talk. */
export const assignmentRule: ReaderRule = {
  keywords: secretWords,
  read: (view, keyword) => {
    const { text } = view;
    if (endOfMatch(anyJoint, text, keyword.end) === undefined) return undefined;
    const start = findNameStart(text, keyword.start);
    const name = readSecretName(text.slice(start, keyword.end));
    if (name === undefined) return undefined;
    const written = text.slice(Math.max(0, start - 1), keyword.end);
    for (const joint of patterns) {
      if (joint.name?.test(written) === false) continue;
      const at = endOfMatch(joint.pattern, text, keyword.end);
      const found = at === undefined ? undefined : readValue(view, at, name, joint.form);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function findNameStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < longestName && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isNameCharacter(code: number): boolean {
  const letter = code | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}
