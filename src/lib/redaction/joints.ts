import type { Form } from "./secret-value.ts";

/** How a name and a value are joined, and what that says about the value. */
export interface Joint {
  readonly form: Form;
  readonly source: string;
  /** How the name must be written, with the character before it. */
  readonly name?: RegExp;
}

/** The end of a name that stands in quotes or brackets. */
const nameEnd = String.raw`\\{0,3}["'\x60]?\]?`;
/** A value may begin on the next line: in a folded block, pretty printed JSON, a continued command. */
const nextLine = String.raw`(?:(?:[|>][+-]?[ \t]{0,8})?\\?\r?\n[+-]?[ \t]{0,40})?`;

/** The joints, in the order in which they are tried. */
export const joints: readonly Joint[] = [
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
