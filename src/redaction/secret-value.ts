import { countDistinct, isJoinedWords, isRandom, isWild } from "./rule.ts";
import type { SecretName } from "./secret-name.ts";

/**
 * Where a value stands: set in an environment, the field of an object, given to a flag, set by a name in small letters,
 * alone on the line of its name, in quotes, handed to a function, written elsewhere without quotes, or told in a sentence.
 *
 * The plainer the place, the more the value itself must look like a secret.
 */
export type Form =
  | "environment"
  | "field"
  | "flag"
  | "setting"
  | "line"
  | "quoted"
  | "called"
  | "written"
  | "told";

/** How much of a long value is looked at; the rest is like it. */
const looked = 96;

/** Words with digits that are no sign of chance. */
const technicalWords =
  /base(?:32|58|62|64)(?:url)?|utf-?(?:8|16)|sha-?[0-9]{1,3}|md5|o?auth[12]|argon2|pbkdf2|bcrypt|aes-?[0-9]{3}|rs256|hs256|es256|ed25519|x509|pkcs[0-9]{1,2}|(?<![A-Za-z0-9])(?:2fa|e2e|i18n|k8s|s3|ec2|v[0-9]{1,2}|web3|http2|p256)(?![A-Za-z0-9])|latin1|aws4-hmac/gi;

/** Names that variables for passwords have. */
const variable =
  /^[a-z_$]{0,20}(?:pass|passwd|password|pwd|secret|token|key|credentials?|value|val|arg|param|input|str|string|text|field|hash|user|data)_?[0-9]{0,2}$/i;
/** The public name of a key that signs. */
const fingerprint = /^(?:0x)?(?:[0-9A-F]{16}|[0-9A-F]{40}|[0-9a-f]{40})$/;

const digit = /[0-9]/;
const letter = /[A-Za-z]/;
/** Signs that words and identifiers do not have inside them. */
const innerSign = /[A-Za-z0-9][!@#$%^&*+=~?|:;,][A-Za-z0-9!@#$%^&*+=~?|]/;

type Test = (value: string, name: SecretName) => boolean;

/** What a value must be in each place, by who makes such secrets. */
const tests: Readonly<Record<Form, Readonly<Record<SecretName["madeBy"], Test>>>> = {
  environment: { people: isGivenPassword, machines: (value) => couldBeToken(value) },
  field: { people: isGivenPassword, machines: isFieldToken },
  flag: {
    people: (value) => !afterFlag.test(value) && isGivenPassword(value),
    machines: (value) => !afterFlag.test(value) && couldBeToken(value),
  },
  setting: { people: isSetPassword, machines: isSetToken },
  line: { people: isLinePassword, machines: isSetToken },
  quoted: { people: isQuotedPassword, machines: looksLikeToken },
  called: { people: (value) => looksLikePassword(value) && digit.test(value), machines: looksLikeToken },
  written: { people: isBarePassword, machines: isBareToken },
  told: { people: (value) => !isPlainWord(value) && isBarePassword(value), machines: isBareToken },
};

/** Tells whether a value is the secret that its name promises. */
export function isSecretValue(value: string, name: SecretName, form: Form): boolean {
  const start = value.slice(0, looked);
  if (name.isFingerprint && fingerprint.test(start)) return false;
  if (name.madeBy === "people" && !name.isExact && form !== "environment") return looksLikePassword(start);
  return tests[form][name.madeBy](start, name);
}

/** What sentences go on with when they speak of a flag. */
const afterFlag =
  /^(?:instead|option|options|flag|flags|argument|arguments|parameter|switch|command|must|should|shall|would|could|cannot|before|after|because|where|which|while|unless|through|together|alone|given|provided|specif(?:y|ied|ies)|explicitly|directly|requires?|needs?|takes|accepts|expects|reads?|prints?|shows?|allows?|means|without|within|either|rather|works?|there|these|those|being|every)$/i;

/** Tells whether a value is made by a machine: characters drawn by chance, not words. */
export function looksLikeToken(value: string): boolean {
  const start = value.slice(0, looked);
  if (start.length < 8 || isNoSecret(start) || isJoinedWords(start)) return false;
  const bare = start.replace(technicalWords, "");
  return countDistinct(bare) >= 6 && (digit.test(bare) || bare.length >= 20) && isRandom(bare);
}

function isBareToken(value: string): boolean {
  return value.length >= 12 && looksLikeToken(value) && !isExpression(value);
}

/** A long word of small letters is a secret only behind a name that says what it is for. */
function isSetToken(value: string, name: SecretName): boolean {
  if (isBareToken(value)) return true;
  return name.isExact && /^[a-z]{12,96}$/.test(value) && !isPlaceholder(value) && !isProse(value);
}

/** Tells whether a value is what people choose as a password: letters with digits or signs. */
export function looksLikePassword(value: string): boolean {
  const start = value.slice(0, looked);
  if (start.length < 6 || isNoSecret(start)) return false;
  const bare = start.replace(technicalWords, "");
  if (countDistinct(bare) < 4 || /\s/.test(start)) return false;
  if (!letter.test(bare)) return /^[0-9]{6,64}$/.test(start);
  return digit.test(bare) || innerSign.test(bare) || isPassphrase(start);
}

function isBarePassword(value: string): boolean {
  return variable.test(value) || value.includes(".") ? looksLikeToken(value) : looksLikePassword(value);
}

const fieldWord =
  /pass|word|form|field|input|label|title|button|reset|forgot|error|require|min|max|new|old|show|confirm/;

/** Tells whether a value is at least four words joined by dashes, and not the name of a field for passwords. */
function isPassphrase(value: string): boolean {
  const words = value.split("-");
  return words.length >= 4 && words.every((word) => /^[a-z]{3,12}$/.test(word)) && !fieldWord.test(value);
}

/** Tells whether a value that stands where hardly anything but a password would is one: also one of letters only. */
export function isGivenPassword(value: string): boolean {
  const start = value.slice(0, looked);
  const least = /^[A-Za-z]{1,96}$/.test(start) ? 5 : 4;
  return start.length >= least && countDistinct(start) >= 3 && !isPlaceholder(start) && !isProse(start);
}

/** `password=value`, where source code could have a variable. */
function isSetPassword(value: string): boolean {
  return !variable.test(value) && !isField(value) && isGivenPassword(value);
}

/** A value alone on its line: of letters only it could be a type, a word of a list or a variable. */
function isLinePassword(value: string): boolean {
  if (isBarePassword(value)) return true;
  return /^[a-z]{8,96}$/.test(value) && !wordEnding.test(value) && isSetPassword(value);
}

/** How words end that say something about a password. */
const wordEnding = /^.{5,9}(?:ed|ing|ion|ive|able|ible|ary|ory|ent|ant|ous|ful|less|ize|ise|ment|ness|ity)$/;

/** What follows a closing quote that was taken for an opening one. */
const closed = /^[\s,;:)\]}+]/;

/** A literal in source code or settings: of letters only it could be the name of a thing. */
function isQuotedPassword(value: string): boolean {
  if (closed.test(value)) return false;
  if (looksLikePassword(value)) return true;
  if (/^[A-Za-z]{1,96}$/.test(value))
    return /^(?:[a-z]{6,96}|[A-Z][a-z]{7,96})$/.test(value) && isSetPassword(value);
  return !isNoSecret(value) && isGivenPassword(value) && (digit.test(value) || innerSign.test(value));
}

/** Tells whether a value is a word with a capital, or words that are joined. */
function isName(value: string): boolean {
  return /^[A-Z][a-z]{1,20}$/.test(value) || isJoinedWords(value);
}

function couldBeToken(value: string): boolean {
  if (countDistinct(value) < 4 || isPlaceholder(value) || /\s/.test(value)) return false;
  return value.length >= 8 && !isField(value) && !(isProse(value) && isExpression(value));
}

function isFieldToken(value: string, name: SecretName): boolean {
  if (name.isExact && couldBeToken(value)) return looksLikeToken(value) || !isName(value);
  if (countDistinct(value) < 4 || isPlaceholder(value)) return false;
  if (looksLikeToken(value)) return true;
  return value.length >= 12 && (/^[a-z]{12,96}$/.test(value) || !isExpression(value)) && !/\s/.test(value);
}

/** Twenty-four words of at most eight letters. */
const longestPhrase = 24 * 9;

/** Tells whether a value is the words from which a wallet can be restored. */
export function isSeedPhrase(value: string): boolean {
  const words = value.slice(0, longestPhrase).split(" ");
  return words.length >= 12 && words.length <= 24 && words.every((word) => /^[a-z]{3,8}$/.test(word));
}

/** Tells whether a value is the name of a variable or of a field of one. */
function isExpression(value: string): boolean {
  const names = value.split(".");
  if (names.length === 1 && isWild(value)) return false;
  return names.every((name) => /^[#$A-Za-z_][A-Za-z_$]{0,80}[0-9]{0,2}$/.test(name));
}

/** Tells whether a value is the field of a variable, or a call. */
function isField(value: string): boolean {
  return (value.includes(".") && isExpression(value)) || call.test(value);
}

const call = /^[A-Za-z_$][A-Za-z0-9_$.]{0,80}\((?:["'\x60]|\)$|[A-Za-z_$.]{1,60}\)$|$)/;

/** What points at a secret instead of being one. */
const reference =
  /^(?:0x[0-9a-f]{1,16}$|:|--?[a-z]|[$#%@]?[{[(<]|\$[A-Za-z_]|%[A-Za-z(]|process\.env|os\.environ|import\.meta|env[.([:]|secrets?[.[]|config[.[]|projects\/|vault:|arn:|op:\/\/|ssm:|file:|data:|https?:\/\/|[A-Za-z]:\\)/i;
/** The same where only a secret or a reference would stand: a secret that begins with such a sign does not end with its pair. */
const wholeReference =
  /^(?:0x[0-9a-f]{1,16}$| ?\+ ?[a-z_$]|:[a-z_]\w{0,80}$|:'|--[a-z]|-[a-z]$|[$#%@]?(?:\{[^}]{0,96}\}|\[[^\]]{0,96}\]|\([^)]{0,96}\)|<[^>]{0,96}>)$|\$[a-z_]\w{0,80}(?:$|->|[:.[@/]\$?[a-z_])|%(?:\w{1,60}%|\(\w{1,60}\)s|s)$|process\.env|os\.environ|import\.meta|env[.([:]|secrets?[.[]|config[.[]|projects\/|vault:|arn:|op:\/\/|ssm:|file:|data:|https?:\/\/|[a-z]:\\)/i;
const path = /^(?:\.{0,2}|~)\/[\w.-]{1,64}(?:\/|$)/;
/** The name of a constant. */
const constant = /^[A-Z][A-Z0-9]{0,30}_[A-Z][A-Z0-9_]{1,80}$/;
const template = /\$\{|\{\{|\$\(|%\(|<[A-Za-z/]|#\{/;
const wholeTemplate = /\$\{|\{\{|\$\(|%\(\w{1,60}\)s|<\/?[a-z][a-z _-]{2,40}>|#\{/i;

/** What stands in examples where the secret would be. */
const filling =
  /x{4}|\*{3}|\.{3}|…|•|your|placeholder|change.?me|change.?it|change.?this|replace|insert|example|sample|dummy|redact|todo|fixme/i;
const plainWord = new RegExp(
  `^(?:${[
    "pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|(?:api|access|secret|private)?[_-]?keys?|my[_-]?(?:secret|token|password|key)",
    "string|str|text|varchar|char|bytes?|number|integer|boolean|object|function|symbol|never|value|secretstr(?:ing)?|optional|nullable",
    "required|undefined|null|none|nil|true|false|empty|blank|missing|absent|present|unset|unchanged|default|unknown|anonymous",
    "disabled|enabled|hidden|visible|masked|shown|protected|secured?|plain(?:text)?|clear(?:text)?|hashed|encrypted|encoded|bcrypt|argon2(?:id)?",
    "invalid|incorrect|wrong|weak|strong|mismatch(?:ed)?|expired|revoked|accepted|rejected|denied|failed|changed|updated|too[_-]?(?:short|long|weak)",
    "confirm(?:ed)?|reset|change|forgot(?:ten)?|repeat|current|login|signin|signup|sign[_-]?in|register|submit|cancel|input|field|label|textarea",
    "email|username|user|bearer|basic|digest|include|same-origin|omit|postgres|mysql|redis|root|admin|guest|test|testing|foobar",
    "passed|passing|prompt|stdin|keyring|keychain|vault|interactive|manual|external|environment",
  ].join("|")})$`,
  "i",
);

/** The words of many languages for a secret: what has one and no digit is the label of a field, or the name of one. */
const label =
  /pass(?:w|phrase|code|ord)|pwd|kennwort|contrase|senha|mot de passe|parola|parole|parool|has[łl]o|heslo|geslo|jelsz|wachtwoord|l[öo]senord|adgangskode|salasana|[şs]ifre|kata sandi|m[ậa]t kh|clave|lozink|slapta|token|jeton|secret|geheim|schl[üu]ssel|api[ _-]?key|credential/i;
/** Letters of other scripts than the Latin one. */
const otherScript = /[\u0370-\uffff]/;
const functionWord =
  /\b(?:the|is|are|was|must|be|your|enter|please|should|cannot|can|could|will|at|least|most|for|of|to|with|without|or|and|not|an?|in|on|this|that|it|has|have|does|do|we|you|same|if|when|only|required|characters|invalid|der|die|das|ist|und|nicht|ein|le|la|les|est|et|un|une|el|los|y|es)\b/gi;

/** Tells whether a value may stand for a secret instead of being one: a reference, a path, a constant, a filling, a plain word. */
function isNoSecret(value: string): boolean {
  return reference.test(value) || template.test(value) || isFilling(value);
}

/** Tells the same of a value that stands where only a secret or something in its place would. */
function isPlaceholder(value: string): boolean {
  return wholeReference.test(value) || wholeTemplate.test(value) || isFilling(value);
}

function isFilling(value: string): boolean {
  if (path.test(value) && (value.match(/[0-9]{1,64}/g) ?? []).length < 3) return true;
  return constant.test(value) || filling.test(value) || plainWord.test(value);
}

/** Tells whether a value is a plain word, perhaps with the number of a footnote. */
function isPlainWord(value: string): boolean {
  return plainWord.test(value.replace(/[0-9]{1,2}$/, ""));
}

/** Tells whether a value is what people read: the label of a field in some language, or a sentence. */
function isProse(value: string): boolean {
  if (!digit.test(value) && (label.test(value) || otherScript.test(value))) return true;
  if (!/\s/.test(value)) return false;
  if (/^(?:the|an?|your|enter|please) ["'\x60]?[a-z]{2}/i.test(value)) return true;
  const words = value.match(functionWord) ?? [];
  return (
    words.length >= 2 || (words.length === 1 && /[a-z][.?!:…]$/.test(value)) || /passw|kennwort/i.test(value)
  );
}
