import type { Form } from "./secret-value.ts";

/** How a name and a value are joined, and what that says about the value. */
export interface Joint {
  readonly form: Form;
  readonly source: string;
  /** The characters that it can begin with: only where one of them stands is it tried. */
  readonly first: string;
  /** How the name must be written, with the character before it. */
  readonly name?: RegExp;
  /** What must stand before the name: the end of a line end and at most 40 characters. */
  readonly before?: RegExp;
}

/** The end of a name that stands in quotes, brackets or bold. */
const nameEnd = String.raw`\\{0,3}["'\x60]?\]?\*{0,2}`;
/** A value may begin on the next line: in a folded block, pretty printed JSON, a continued command. */
const nextLine = String.raw`(?:(?:[|>][+-]?[ \t]{0,8})?\\?\r?\n[+-]?[ \t]{0,40})?`;
/** A quote, also in JSON within JSON. */
const quote = String.raw`\\{0,3}["']`;
const inQuotes = /^["']/;
const capitals = /^[^A-Za-z0-9_.?&-]?[A-Z][A-Z0-9_]{2,80}$/;
const flag = /^[\s"'[,]?--?[A-Za-z][A-Za-z0-9_.-]{0,80}$/;
/** A name at the beginning of a line, of a variable that is exported, or of an item of a list. */
const atLineStart = /\n[ \t+>-]{0,24}(?:export |set |- )?["']?$/;
/** Lines of a block in Terraform that may stand before the value. */
const attribute = String.raw`(?:\r?\n[ \t]{0,40}(?:type|description|sensitive|nullable|ephemeral)[ \t]{0,20}=[^\n]{0,200})?`;

/** The joints, in the order in which they are tried. */
export const joints: readonly Joint[] = [
  // NAME=value, as in the files and commands that set the environment; in a URL it would be a parameter.
  { form: "environment", first: "=", source: String.raw`=(?![=\s])`, name: capitals },
  // ENV NAME value
  {
    form: "environment",
    first: " \t",
    source: String.raw`[ \t]{1,8}(?=[^\s=])`,
    name: /^[\s:./-]?[A-Za-z_][A-Za-z0-9_]{2,80}$/,
    before: /[\s"'](?:ENV|setenv|setx|set -g?x|fastcgi_param|config set)[ \t][^\s]{0,24}$/i,
  },
  // --token=value, --token value, ["--token", "value"]
  { form: "flag", first: "= ", source: String.raw`(?:=| )(?![=\s-])`, name: flag },
  {
    form: "flag",
    first: `\\"'`,
    source: String.raw`${quote},\s{0,40}(?=\\{0,3}["'])`,
    name: /^["']--?[A-Za-z][A-Za-z0-9_.-]{0,80}$/,
    before: /[[,]\s{0,40}\\{0,3}["']$/,
  },
  // "name": "value", and { "value": "value" }
  {
    form: "field",
    first: `\\"'`,
    source: String.raw`${quote}\s{0,20}:\s{0,40}(?:\{\s{0,40}\\{0,3}["'](?:value|default|plaintext|stringValue|S)${quote}\s{0,4}:\s{0,4})?(?=\\{0,3}["'[])`,
    name: inQuotes,
  },
  // password=value; name: value
  {
    form: "setting",
    first: "=",
    source: String.raw`=(?![=\s])`,
    name: /^[^A-Za-z0-9_.(<]?[A-Za-z_][A-Za-z0-9_.-]{2,80}$/,
  },
  {
    form: "line",
    first: "= \t",
    source: String.raw`[ \t]{0,20}=[ \t]{1,20}(?=[^\s"'=])`,
    before: atLineStart,
  },
  { form: "line", first: `"':`, source: String.raw`["']?:[ \t]{1,20}(?=[^\s"'|>])`, before: atLineStart },
  {
    form: "written",
    first: `\\"'\`]* \t=:?|+`,
    source: String.raw`${nameEnd}[ \t]{0,20}(?:=>|:=|[?|+]{0,2}={1,3}|:(?!:))\*{0,2}[ \t]{0,20}${nextLine}`,
  },
  // password: &str = "value"
  { form: "quoted", first: "!?:", source: String.raw`[!?]?: ?[&A-Za-z][A-Za-z0-9<>|.' ]{0,40}=[ \t]{0,8}` },
  // --token   value
  { form: "written", first: " \t", source: String.raw`[ \t]{1,8}`, name: flag },
  // <password>value</password>
  {
    form: "setting",
    first: ">",
    source: String.raw`>(?=[^<>\s]{1,256}</)`,
    name: /^<[A-Za-z][A-Za-z0-9_.-]{0,80}$/,
  },
  { form: "written", first: "<", source: String.raw`</key>\s{0,40}<string>` },
  // name: API_KEY, and then value: …
  {
    form: "field",
    first: `\\"'`,
    source: String.raw`${quote},?\s{0,60}${quote}(?:parameter)?value${quote}[ \t]{0,8}[:=][ \t]{0,8}`,
  },
  {
    form: "field",
    first: `"' \t\r\n`,
    source: String.raw`["']?\s{1,60}value[ \t]{0,8}[:=][ \t]{0,8}(?=["'])`,
  },
  { form: "field", first: `"'\r\n`, source: String.raw`["']?\r?\n[+-]?[ \t]{1,40}value:[ \t]{1,8}` },
  {
    form: "written",
    first: `"', \t\r\n`,
    source: String.raw`["']?,?\s{1,60}["']?value["']?[ \t]{0,8}[:=][ \t]{0,8}`,
  },
  // variable "db_password" { default = "value" }
  {
    form: "field",
    first: '"',
    source: String.raw`"[ \t]{0,4}\{[ \t]{0,8}(?:default|value)[ \t]{0,20}=[ \t]{0,8}`,
    name: inQuotes,
  },
  {
    form: "field",
    first: '"',
    source: String.raw`"[ \t]{0,4}\{${attribute.repeat(4)}\r?\n[ \t]{0,40}(?:default|value)[ \t]{0,20}=[ \t]{0,8}`,
    name: inQuotes,
  },
  // The part of a form: name="password", an empty line, and the value.
  { form: "field", first: '"', source: String.raw`"\r?\n\r?\n`, before: /name="$/ },
  { form: "field", first: '\\"', source: String.raw`\\{0,3}"\\r\\n\\r\\n`, before: /name=\\{0,3}"$/ },
  // ALTER USER app WITH PASSWORD 'value'
  { form: "field", first: " \t", source: String.raw`[ \t]{1,4}(?=')`, name: /^.?PASSWORD$/ },
  {
    form: "field",
    first: " \t",
    source: String.raw`[ \t]{1,4}(?=')`,
    name: /^.?password$/i,
    before: /[ \t\n](?:with|encrypted|login|superuser|createdb|inherit)[ \t\n]{1,4}$/i,
  },
  // | API_KEY | value |
  {
    form: "written",
    first: `*_\` \t|`,
    source: String.raw`[*_\x60]{0,2}[ \t]{0,40}\|(?!\|)[ \t]{0,40}\*{0,2}`,
    before: /\|[ \t]{0,8}[*_\x60]{0,2}$/,
  },
  {
    form: "written",
    first: "\t",
    source: String.raw`\t{1,4}`,
    name: /^[^A-Za-z0-9_.-]?[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{2,60}$/,
  },
  // setToken("value"), headers.set("x-api-key", "value")
  { form: "called", first: `"' \t(,`, source: String.raw`["']?[ \t]{0,4}[(,][ \t]{0,4}` },
  { form: "told", first: `"'\` \t`, source: String.raw`["'\x60]?[ \t]{1,4}(?:is|was|ist|est|es)[ \t:]{1,4}` },
  // Authorization: token value
  {
    form: "told",
    first: " \t",
    source: String.raw`[ \t]{1,2}(?=[A-Za-z0-9_-]{20})`,
    name: /(?:token|secret|key)$/i,
  },
  { form: "written", first: "%", source: "(?:%22)?%3[ad](?:%20)?(?:%22)?" },
];
