import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

const goal = fact(
  "goal",
  "goal",
  3,
  "What should strict mode do with primitives?",
  /strict( mode)?.{0,120}(primitive|garbage|\btru\b)/,
  /invalid primitives/,
);
const noLibrary = fact(
  "no-library",
  "pref",
  3,
  "May I use strtod or string.h in jsmn.h?",
  /no (strtod|string\.h|allocation)/,
  /cortex-m0/,
);
const c89 = fact("c89", "pref", 2, "Which C standard must jsmn.h keep to?", /\bc89\b/);
const nonStrict = fact(
  "non-strict",
  "pref",
  2,
  "May non-strict mode change?",
  /non-strict.{0,60}(must not|not change|unchanged|as it (is|was))/,
);
const helper = fact(
  "helper",
  "done",
  2,
  "Which function checks a primitive in strict mode?",
  /jsmn_is_primitive/,
);
const header = fact("f-header", "files", 2, "Which file has the parser?", /jsmn\.h/);
const howTest = fact("how-test", "verify", 3, "How do I run the tests?", /make test/);
const tests = fact("f-tests", "files", 1, "Where are the tests?", /test\/tests\.c/, /test_strict_primitive/);

export const handoffs: readonly HandoffCase[] = [
  {
    session: "jsmn",
    at: "end",
    facts: [
      goal,
      noLibrary,
      c89,
      nonStrict,
      helper,
      header,
      howTest,
      tests,
      fact(
        "abi",
        "decision",
        3,
        "May I add a field to jsmn_parser?",
        /(abi|parser struct|jsmn_parser).{0,60}(stay|alone|unchanged|not chang)/,
        /(leave|keep|no change).{0,30}(parser struct|jsmn_parser|\babi\b)/,
      ),
      fact(
        "fixmes",
        "decision",
        2,
        "Are the FIXME tests about trailing commas part of this change?",
        /fixmes?.{0,60}(separate|stay|left|later|out of scope|if ever)/,
      ),
      fact(
        "commits",
        "pref",
        2,
        "How should commits be cut?",
        /small commits/,
        /readme in (another|its own)/,
        /code and tests in one/,
      ),
      fact("version", "pref", 2, "May I raise the version?", /library\.json/),
      fact(
        "exponents",
        "gotcha",
        3,
        "What was wrong with numbers like 1e5?",
        /(exponent|1e5).{0,100}(forgot|reject|fail|fix|valid|accept)/,
        /accept exponents/,
      ),
      fact(
        "part",
        "gotcha",
        1,
        "Why is the check behind the label found?",
        /(cut[- ]off|partial|incremental).{0,80}jsmn_error_part/,
        /behind (the )?found/,
      ),
      fact(
        "binaries",
        "gotcha",
        1,
        "Why must I not stage everything in test/?",
        /(test\/test_(default|strict)|binaries).{0,80}(untracked|ignored|stag)/,
        /staged? by path/,
      ),
      fact("commit", "state", 3, "What is committed?", /reject invalid primitives in strict mode/),
      fact("uncommitted", "state", 3, "Is the fix for exponents committed?", uncommitted),
      fact("branch", "state", 1, "On which branch was this?", /strict-primitives/),
      fact("c89-check", "verify", 1, "How was it checked that the header is C89?", /-std=c89/),
      fact("result", "verify", 2, "Do the tests pass?", /17 tests? pass/, /passed: 17/, /17 (of 17 )?pass/),
      fact("next-commit", "open", 2, "What is the next commit?", /accept exponents in strict mode/),
      fact(
        "readme",
        "open",
        3,
        "What is still to be written in the README, and where?",
        /readme.{0,80}strict mode/,
        /section .?strict mode/,
        /strict mode.{0,60}(behind|after) .?design/,
      ),
    ],
    claims: [
      falseClaim(
        "red",
        "the strict tests pass since the exponents were fixed",
        /(block|fail|critical|open|unresolved).*(test strict primitives|test_strict\b)/,
      ),
      falseClaim(
        "fixme-open",
        "the user ruled it out",
        /(open|next|to ?do|pending|remaining).*(trailing comma|fixme)/,
      ),
      falseClaim(
        "c99",
        "it is C89 clean",
        /(block|fail|critical|open|unresolved).*(initial declarations|strlen|memcmp|c99)/,
      ),
    ],
  },
  {
    session: "jsmn",
    at: "cut",
    facts: [
      goal,
      noLibrary,
      c89,
      nonStrict,
      helper,
      header,
      howTest,
      tests,
      fact("question", "interrupted", 3, "What was asked last?", /trailing comma/, /fixme tests/),
      fact(
        "readme",
        "open",
        2,
        "What is left of the list?",
        /mention it in readme/,
        /readme(\.md)? does not mention/,
      ),
      fact("result", "verify", 2, "Do the tests pass?", /17 tests? pass/, /passed: 17/),
      derivedFact("uncommitted", "state", 3, "Is anything committed?", uncommitted),
      derivedFact("branch", "state", 1, "On which branch was this?", /strict-primitives/),
    ],
    claims: [
      falseClaim(
        "c99",
        "it is C89 clean",
        /(block|fail|critical|open|unresolved).*(initial declarations|strlen|memcmp|c99)/,
      ),
    ],
  },
];
