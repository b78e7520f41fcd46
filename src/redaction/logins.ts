import { edge, isTokenLike, type Rule } from "./rule.ts";
import { isGivenPassword, looksLikePassword } from "./secret-value.ts";

/** A line of the file of PostgreSQL's clients, from its third field on: host:port:database:user:password */
const pgpassFields = String.raw`:[^\s:"'\\]{1,64}:[^\s:"'\\]{1,64}:(?<secret>[^\s:"'\\]{4,128})(?=[\s"'\\]|$)`;

/** Passwords beside the name of a user: in addresses, in the files of clients, and in SQL. */
export const loginRules: readonly Rule[] = [
  {
    kind: "url-password",
    keywords: ["://"],
    source: String.raw`://[^\s:/?#"'\x60<>\[\]]{0,128}:(?<secret>[^\s/?#"'\x60<>]{1,256})(?=@[A-Za-z0-9.$%{_[-])`,
    isSecret: isUrlPassword,
  },
  {
    // A password with signs that belong behind the host; a port may stand before these.
    kind: "url-password",
    keywords: ["://"],
    source: String.raw`://[^\s:@/?#"'\x60<>\[\]]{1,128}:(?![0-9]{1,5}[/?#])(?<secret>[^\s/?#"'\x60<>@]{1,128}[/?#][^\s"'\x60<>@]{1,128})(?=@[A-Za-z0-9-][A-Za-z0-9.-]{0,128}(?:[:/"'\s]|$))`,
    isSecret: isUrlPassword,
  },
  {
    kind: "url-password",
    keywords: ["jdbc:oracle:"],
    source: String.raw`jdbc:oracle:(?:thin|oci8?):[^\s/@"'\x60]{1,64}/(?<secret>[^\s@"'\x60]{1,128})(?=@)`,
    isSecret: isUrlPassword,
  },
  {
    kind: "url-password",
    keywords: ["%3a%2f%2f"],
    source: "%3A%2F%2F[A-Za-z0-9._~-]{0,128}%3A(?<secret>[A-Za-z0-9._~!*()%-]{4,256})(?=%40)",
    anyCase: true,
    isSecret: isUrlPassword,
  },
  {
    kind: "url-token",
    keywords: ["://"],
    source: "://(?<secret>[A-Za-z0-9_-]{20,255})(?=@[A-Za-z0-9.-])",
    isSecret: isTokenLike,
  },
  {
    kind: "netrc-password",
    keywords: ["login"],
    source: String.raw`${edge}login\s{1,8}[^\s\[]{1,64}\s{1,8}password\s{1,8}(?<secret>[^\s\[]{4,128})`,
    isSecret: looksLikePassword,
  },
  {
    kind: "netrc-password",
    keywords: ["machine"],
    source: String.raw`${edge}machine\s{1,8}[^\s\[]{1,128}\s{1,8}login\s{1,8}[^\s\[]{1,64}\s{1,8}password\s{1,8}(?<secret>[^\s\[]{4,128})`,
    isSecret: isGivenPassword,
  },
  {
    kind: "pgpass-password",
    keywords: [":5432:", ":5433:", ":5434:", ":6432:", ":6543:", ":25060:", ":26257:"],
    source: `(?<=[A-Za-z0-9.*_-]):[0-9]{4,5}${pgpassFields}`,
    isSecret: isGivenPassword,
  },
  {
    kind: "pgpass-password",
    keywords: [":*:"],
    source: String.raw`(?<=(?:^|[\s"'\x60>+\\n])(?:\*|localhost|[A-Za-z0-9_-]{1,60}\.[A-Za-z0-9.-]{1,60})):\*${pgpassFields}`,
    isSecret: isGivenPassword,
  },
  {
    kind: "sql-password",
    keywords: ["identified by", "identified with"],
    source: String.raw`identified (?:with [a-z0-9_'"]{1,40} )?(?:by|as) (?:password )?["'](?<secret>[^"'\n]{1,128})(?=["'])`,
    anyCase: true,
    isSecret: isGivenPassword,
  },
];

const urlPlaceholder =
  /^(?:.{1,3}|pass|passwd|password|pwd|pw|secret|token|x{1,20}|\*{1,20}|\.{1,20}|•{1,20}|[0-9]{1,5})$/i;
const template =
  /^\$|\$[{(]|\{\{|^(?:\{.{0,256}\}|\[.{0,256}\]|<.{0,256}>)$|[<>]|%s|\bYOUR|placeholder|^PORT[/?#]|\[redacted:/i;

function isUrlPassword(secret: string): boolean {
  return !urlPlaceholder.test(secret) && !template.test(secret);
}
