/** How runners of tests name what failed: its file, or the case itself. */
const cases: readonly RegExp[] = [
  /^(?:FAILED|ERROR) ([^\s:]{1,300})/,
  /^ {0,2}FAIL {1,2}([^\s>]{1,300})/,
  /^ {5}(test\/\S{1,300}?_test\.exs):\d+$/,
  /^test (\S{1,300}) \.\.\. FAILED$/,
  /^--- FAIL: (\w{1,300})/,
  /^test at (\S{1,300}?):\d+:\d+$/,
  /^rspec (\S{1,300}?):\d+/,
];

const count = /\b(\d{1,6}) (?:tests? )?(?:failed|failures?|fail\b)|^(?:#|ℹ) fail (\d{1,6})$/;

const most = 12;

/** Returns the files and cases that a run of tests names as failed; none where the output may not show them all. */
export function failedCases(lines: readonly string[]): readonly string[] {
  const found = lines.flatMap((line) => cases.flatMap((pattern) => pattern.exec(line)?.[1] ?? []));
  const counts = lines.flatMap((line) => {
    const [, one, other] = count.exec(line) ?? [];
    return one === undefined && other === undefined ? [] : [Number(one ?? other)];
  });
  const names = [...new Set(found)];
  return found.length < Math.max(0, ...counts) || names.length > most ? [] : names;
}
