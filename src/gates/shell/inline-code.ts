/** What code of the usual languages says where it writes files or starts programs. */
const signs: readonly RegExp[] = [
  // Python
  /\bopen\s*\([^)]{0,200},\s*(?:mode\s*=\s*)?[rbuf]{0,2}["'][rbt]*[wax+]/,
  /\.(?:write_text|write_bytes|writelines|unlink|rmdir|mkdir|rename|touch|symlink_to|chmod|to_csv|to_json|savefig)\s*\(/,
  /\bos\.(?:remove|unlink|rename|replace|mkdir|makedirs|rmdir|removedirs|symlink|link|truncate|system|popen|exec\w*|spawn\w*|chmod|chown)\b/,
  /\b(?:shutil|subprocess|tempfile|pty)\.\w+/,
  /\b__import__\s*\(\s*["'](?:os|shutil|subprocess)/,
  // JavaScript
  /\b(?:writeFile|appendFile|unlink|rmdir|mkdir|rename|copyFile|symlink|truncate|chmod|createWriteStream|mkdtemp|outputFile|cp|rm)(?:Sync)?\s*\(/,
  /\bchild_process\b|\b(?:exec|spawn|fork)(?:File)?(?:Sync)?\s*\(/,
  /\b(?:Deno|Bun)\.(?:write\w*|remove\w*|mkdir\w*|rename\w*|run|Command|spawn\w*)\b/,
  // Perl, Ruby, PHP, Lua
  /\bopen\b[^;]{0,200},\s*["']\s*\+?>/,
  /\bopen\b[^;]{0,200}["']\s*[|>]/,
  /\b(?:unlink|rmtree|mkpath|mkdir|rename|system|exec|symlink|truncate|copy|move)\b\s*[({"'$@]/,
  /\bFile\.(?:write|delete|rename|unlink|open\s*\([^)]{0,200},\s*["'][wa])|\bIO\.(?:write|popen)|\bFileUtils\b|\bDir\.(?:mkdir|rmdir|delete)/,
  /\b(?:file_put_contents|fopen\s*\([^)]{0,200},\s*["'][wax]|shell_exec|passthru|proc_open|popen|touch)\b/,
  /\bio\.open\s*\([^)]{0,200},\s*["'][wa]|\bos\.(?:execute|remove|rename|tmpname)\b/,
];

/** More than this of a text is not looked at. */
const mostCode = 100_000;

/** Tells whether code names something by which files are written or programs started. */
export function isWritingCode(code: string): boolean {
  const text = code.slice(0, mostCode);
  return signs.some((sign) => sign.test(text));
}
