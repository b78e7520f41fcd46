/** What points at a secret instead of being one. */
const reference =
  /^(?:0x[0-9a-f]{1,16}$|:|--[a-z]|[$#%@]?[{[(<]|\$[A-Za-z_]|%[A-Za-z(]|process\.env|os\.environ|import\.meta|env[.([:]|secrets?[.[]|config[.[]|projects\/|vault:|arn:|op:\/\/|ssm:|file:|data:|https?:\/\/|[A-Za-z]:\\)/i;
const path = /^(?:\.{0,2}|~)\/[\w.-]{1,64}(?:\/|$)/;
/** The name of a constant. */
const constant = /^[A-Z][A-Z0-9]{0,30}_[A-Z][A-Z0-9_]{1,80}$/;
const template = /\$\{|\{\{|\$\(|%\(|<[A-Za-z/]|#\{/;

/** What stands in examples where the secret would be. */
const filling =
  /x{4}|\*{3}|\.{3}|…|•|your|placeholder|change.?me|change.?this|replace|insert|example|sample|dummy|redact|todo|fixme/i;
const plainWord =
  /^(?:pass(?:word|wd|phrase)?|secrets?|tokens?|(?:api|access|secret|private)?[_-]?keys?|my[_-]?(?:secret|token|password|key)|string|str|text|varchar|number|boolean|object|function|required|optional|undefined|null|none|nil|true|false|disabled|enabled|hidden|masked|default|unknown|anonymous|bearer|basic|include|same-origin|omit|postgres|mysql|redis|root|admin|guest|user|test|testing|foobar)$/i;

/** Tells whether a value stands for a secret instead of being one: a reference, a path, a constant, a filling, a plain word. */
export function isNoSecret(value: string): boolean {
  if (path.test(value) && (value.match(/[0-9]{1,64}/g) ?? []).length < 3) return true;
  return (
    constant.test(value) ||
    reference.test(value) ||
    template.test(value) ||
    filling.test(value) ||
    plainWord.test(value)
  );
}
