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
const digit = /[0-9]/;
const functionWord =
  /\b(?:the|is|are|was|must|be|your|enter|please|should|cannot|can|could|will|at|least|most|for|of|to|with|without|or|and|not|an?|in|on|this|that|it|has|have|does|do|we|you|same|if|when|only|required|characters|invalid|der|die|das|ist|und|nicht|ein|le|la|les|est|et|un|une|el|los|y|es)\b/gi;

/** Tells whether a value may stand for a secret instead of being one: a reference, a path, a constant, a filling, a plain word. */
export function isNoSecret(value: string): boolean {
  return reference.test(value) || template.test(value) || isFilling(value);
}

/** Tells the same of a value that stands where only a secret or something in its place would. */
export function isPlaceholder(value: string): boolean {
  return wholeReference.test(value) || wholeTemplate.test(value) || isFilling(value);
}

function isFilling(value: string): boolean {
  if (path.test(value) && (value.match(/[0-9]{1,64}/g) ?? []).length < 3) return true;
  return constant.test(value) || filling.test(value) || plainWord.test(value);
}

/** Tells whether a value is a plain word, perhaps with the number of a footnote. */
export function isPlainWord(value: string): boolean {
  return plainWord.test(value.replace(/[0-9]{1,2}$/, ""));
}

/** Tells whether a value is what people read: the label of a field in some language, or a sentence. */
export function isProse(value: string): boolean {
  if (!digit.test(value) && (label.test(value) || otherScript.test(value))) return true;
  if (!/\s/.test(value)) return false;
  if (/^(?:the|an?|your|enter|please) ["'\x60]?[a-z]{2}/i.test(value)) return true;
  const words = value.match(functionWord) ?? [];
  return (
    words.length >= 2 || (words.length === 1 && /[a-z][.?!:…]$/.test(value)) || /passw|kennwort/i.test(value)
  );
}
