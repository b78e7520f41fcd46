import { type Finding, hasVariety, type ReaderRule, type TextView } from "./rule.ts";
import { looksLikeToken } from "./secret-value.ts";

const header = /cookie\\{0,3}["']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["']?/iy;
const cookieName = /[A-Za-z0-9_.-]{1,80}=/y;
/** How much of a header is looked at; the cookies behind it are like those before. */
const looked = 512;

/** The header that sends cookies, all of it if one of them looks like a token; and the value in one that sets a cookie. */
export const cookieRule: ReaderRule = {
  keywords: ["cookie"],
  read: (view, keyword) => {
    const { text } = view;
    const start = endOfMatch(header, text, keyword.start);
    const valueStart = start && endOfMatch(cookieName, text, start);
    if (start === undefined || valueStart === undefined) return [];
    if (text.slice(keyword.start - 4, keyword.start).toLowerCase() === "set-")
      return readToken(view, valueStart, "cookie", looksLikeToken);
    const end = view.headerEnd(start);
    if (!hasSecretCookie(text.slice(start, Math.min(end, start + looked)))) return [];
    return [{ kind: "cookie", start, end }];
  },
};

const sessionNames = ["sessid=", "sessionid=", "connect.sid=", "_session="];

/** The cookies in which servers keep who is logged in, wherever they stand. */
export const sessionCookieRule: ReaderRule = {
  keywords: sessionNames,
  read: (view, keyword) => readToken(view, keyword.end, "session-cookie", isSessionId),
};

function readToken(
  view: TextView,
  start: number,
  kind: string,
  isSecret: (value: string) => boolean,
): readonly Finding[] {
  const end = view.bareEnd(start);
  if (!isSecret(view.text.slice(start, Math.min(end, start + looked)))) return [];
  return [{ kind, start, end }];
}

function isSessionId(value: string): boolean {
  return (
    value.length >= 16 &&
    hasVariety(value) &&
    /^[A-Za-z0-9%._~+/=:-]{16,512}$/.test(value) &&
    (value.length >= 24 || /[0-9]/.test(value))
  );
}

function hasSecretCookie(cookies: string): boolean {
  return cookies.split(";").some((pair) => {
    const value = pair.slice(pair.indexOf("=") + 1);
    return !/[\s,]/.test(value) && looksLikeToken(value);
  });
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
