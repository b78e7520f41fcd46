import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandSteps } from "../../../src/outcomes/shell/command-steps.ts";
import { cases } from "../../support/cases.ts";

const texts = (line: string) => commandSteps(line).map(({ words }) => words.join(" "));

describe("the steps of a command line", () => {
  it.each([
    ["npm test", ["npm test"]],
    ["cd app && npm  test; ls", ["cd app", "npm test", "ls"]],
    ["make 2>&1 | tail -5 > out.txt", ["make", "tail -5"]],
    ["git commit -m 'a && b; c | d'", ["git commit -m a && b; c | d"]],
    ['echo "a \\"b\\" | c"', ['echo a "b" | c']],
    ["echo $(make | tail) `ls; x`", ["echo $(make | tail) `ls; x`"]],
    ["cat <<'EOF' > x.md\nnpm test\nmake\nEOF\nls", ["cat", "ls"]],
    ["cat <<A <<-B\n1\nA\n\t2\n\tB\nls", ["cat", "ls"]],
    ["grep x <<< 'npm test'", ["grep x"]],
    ["make # && npm test", ["make"]],
    ["make \\\n  -j4", ["make -j4"]],
    ["(cd a && make) && (npm test)", ["cd a", "make", "npm test"]],
    ["if make; then ls; fi", ["make", "ls"]],
    ["for d in a b; do make; done", ["make"]],
    ["A=1 B='x y' make", ["make"]],
    ["env A=1 nice -n 5 timeout -k 5 60s npx --yes vitest run", ["vitest run"]],
    ["uv run pytest -q", ["pytest -q"]],
    ["/usr/bin/make -C x", ["make -C x"]],
    ["docker compose run --rm -e CI=1 app pytest -q", ["pytest -q"]],
    ["docker exec -it web npm test", ["npm test"]],
    ["docker run -d -p 80:80 nginx", ["docker run -d -p 80:80 nginx"]],
    ["./node_modules/.bin/tsc", ["tsc"]],
    ["bash -lc 'cd x && make | tail'", ["cd x", "make", "tail"]],
    ["bash build.sh", ["bash build.sh"]],
    ["'unclosed && make", ["unclosed && make"]],
    ["", []],
  ])("%j", (line, steps) => {
    expect(texts(line)).toEqual(steps);
  });

  it.each([
    ["make", [true]],
    ["cd a && make && ls", [true, true, true]],
    ["make; ls", [false, true]],
    ["make | tail", [false, true]],
    ["set -o pipefail; make | tail", [false, true, true]],
    ["set -e; make; ls", [true, true, true]],
    ["make || true", [false, true]],
    ["make || exit 1", [true, true]],
    ["make | tail; exit $PIPESTATUS", [true, true, true]],
    ["make &", [false]],
    ["! make", [false]],
    ["bash -c 'make; ls' && x", [false, true, true]],
    ["(make; ls) | tail", [false, false, true]],
    ["(make && ls) | tail", [false, false, true]],
    ["{ make && ls; } 2>&1 | tail", [false, false, true]],
    ["if true; then make && ls; fi | tail", [false, false, false, true]],
    ["(make || exit 1) | tail", [false, false, true]],
    ["(make || exit 1); ls", [false, false, true]],
    ["(make || exit 1)", [true, true]],
    ["(make && ls) && x", [true, true, true]],
    ["set -o pipefail; (make && ls) | tail", [false, true, true, true]],
    ["set +o pipefail; make | tail", [false, false, true]],
    ["make | tail && echo $PIPESTATUS", [false, true, true]],
    ["make | tee log; exit $PIPESTATUS", [true, true, true]],
    ["set -e; make && ls; x", [true, false, true, true]],
    ["set -e; if make; then ls; fi; x", [true, false, true, true]],
    ["set -e; (make; ls) || true", [true, false, false, true]],
    ["(set -e; make); ls", [false, false, true]],
    ["case $x in a) make;; esac", [true]],
    ["if make; then ls; else x; fi", [false, true, true]],
    ["! make | tail", [false, false]],
  ])("%j tells whose exit code is the line's", (line, decides) => {
    expect(commandSteps(line).map((step) => step.decides)).toEqual(decides);
  });

  it.each([
    ["make && ls", []],
    ["ls || make", ["make"]],
    ["ls || make && x", ["make"]],
    ["ls || (make && x); y", ["make", "x"]],
    ["ls || { make && x; } && y", ["make", "x"]],
    ["if ls; then make; elif x; then y; else z; fi; w", ["make", "x", "y", "z"]],
    ["while ls; do make; done; x", ["make"]],
    ["for d in a b; do (cd $d && make); done && x", ["cd $d", "make"]],
    ["case $x in a) make && ls;; esac; x", ["make", "ls"]],
    ["ls || bash -c 'make; x'", ["make", "x"]],
  ])("%j tells without which of them the line may succeed", (line, skipped) => {
    const steps = commandSteps(line).filter(({ mayBeSkipped }) => mayBeSkipped);
    expect(steps.map(({ words }) => words.join(" "))).toEqual(skipped);
  });

  it.each([
    ["make | tail; ls", ["0", "0", "1"]],
    ["(make; ls) | tail", ["0.1", "0.2", "0"]],
    ["((make; ls) | tail; x) | cat", ["0.1.2", "0.1.3", "0.1", "0.4", "0"]],
    ["bash -c 'make; ls' | tail", ["0.0", "0.1", "0"]],
  ])("%j tells who reads what they print", (line, pipelines) => {
    expect(commandSteps(line).map(({ pipeline }) => pipeline)).toEqual(pipelines);
  });

  it("are found in any number of brackets, 200 deep", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a${";b)|c".repeat(depth)}`;
    expect(["(a)|".repeat(2000), nested(200)].map((line) => commandSteps(line).length)).toEqual([2000, 401]);
    expect(commandSteps(nested(2000)).length).toBeLessThan(4001);
  });

  it.each([
    ["f() { make; }; f", ["make", "f"]],
    ["! make | tail", ["make", "tail"]],
    ["make &> log && [[ -f log ]] && ls", ["make", "ls"]],
    ["if make; then ls; else x; fi", ["make", "ls", "x"]],
  ])("%j has only these", (line, steps) => {
    expect(texts(line)).toEqual(steps);
  });

  it("hold the files that they write", () => {
    expect(commandSteps("make > a.log 2> b.log; ls").map(({ writes }) => writes)).toEqual([
      ["a.log", "b.log"],
      [],
    ]);
    expect(commandSteps("(make; ls 2> b.log) > a.log; ls").map(({ writes }) => writes)).toEqual([
      ["a.log"],
      ["b.log", "a.log"],
      [],
    ]);
  });

  it("are found in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab '\"\\$(){}`|&;<>#\n=-!") }), (line) => {
        expect(commandSteps(line).every(({ words }) => words[0] !== "")).toBe(true);
      }),
      { numRuns: cases(2000) },
    );
  });
});
