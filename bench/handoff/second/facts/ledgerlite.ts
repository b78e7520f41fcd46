import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

const goal = fact(
  "goal",
  "goal",
  3,
  "Which files should be imported?",
  /(german bank|sparkasse).{0,160}(csv|import)/,
  /csv files of (german|sparkasse)/,
);
const cents = fact(
  "cents",
  "goal",
  2,
  "What is wrong with the monthly report?",
  /cents.{0,60}(off|drift|wrong)/,
  /float.{0,60}cents/,
);
const pandas = fact(
  "pandas",
  "decision",
  3,
  "May I use pandas?",
  /no pandas/,
  /(without|not use|instead of) pandas/,
  /standard library only/,
);
const decimal = fact(
  "decimal",
  "decision",
  3,
  "Which type do amounts have?",
  /decimal.{0,60}(amount|float|instead)/,
  /use decimal/,
);
const numbers = fact(
  "numbers",
  "pref",
  3,
  "Are amounts strings or numbers in JSON?",
  /json.{0,60}number/,
  /to_json_numbers/,
);
const dialects = fact("f-dialects", "files", 2, "Where is the format of a bank described?", /dialects\.py/);
const importer = fact("f-importer", "files", 1, "Which module reads the files?", /importer\.py/);
const howTest = fact("how-test", "verify", 3, "How do I run the tests?", /pytest/);
const branch = fact("branch", "state", 2, "On which branch was this?", /feature\/german-banks/);

export const handoffs: readonly HandoffCase[] = [
  {
    session: "ledgerlite",
    at: "end",
    facts: [
      goal,
      cents,
      pandas,
      decimal,
      numbers,
      dialects,
      importer,
      howTest,
      branch,
      fact(
        "iban",
        "pref",
        3,
        "May I print what a statement contains?",
        /(never|not|no).{0,40}(log|print).{0,40}(iban|account)/,
        /account numbers or ibans/,
      ),
      fact("fake", "pref", 1, "Which IBANs may samples have?", /fake (one|iban)/, /obviously fake/),
      fact(
        "bom",
        "gotcha",
        2,
        "What breaks the detection of files from Excel?",
        /byte order mark/,
        /utf-8-sig/,
      ),
      fact(
        "preamble",
        "done",
        2,
        "How are files of ING read that do not begin with the header?",
        /preamble/,
        /number of (its|the) header line/,
      ),
      fact(
        "messages",
        "gotcha",
        1,
        "Why does the error not show the line?",
        /messages? (no longer|do not|don't) repeat/,
        /a preamble (has|holds)/,
      ),
      fact("commit", "state", 3, "What was committed last?", /read csv files of ing/),
      fact("f-sample", "files", 1, "Where is the sample of ING?", /samples\/ing\.csv/),
      fact("result", "verify", 2, "How many tests passed at the end?", /9 (tests )?pass/),
      derivedFact(
        "readme",
        "interrupted",
        3,
        "Is the README finished?",
        /readme(\.md)?[^.]{0,120}(unfinished|partly|partial|started|incomplete|in progress|not committed|uncommitted|untracked|\(new\)|not finished)/,
        /(uncommitted|untracked|not committed|unfinished|interrupted|broke off|cut off)[^.]{0,120}readme/,
      ),
      fact(
        "how-to-add",
        "open",
        2,
        "What should the README explain besides the table?",
        /how to add (one|a dialect)/,
      ),
      fact("bump", "open", 3, "Which version comes next, and is it set?", /0\.5\.0/),
      derivedFact("uncommitted", "state", 2, "Is everything committed?", uncommitted),
    ],
    claims: [
      falseClaim(
        "red",
        "all tests pass",
        /(block|fail|critical|open|unresolved).*(nameerror|is not defined|byte_order_mark|test_skips_the_preamble|no dialect has)/,
      ),
      falseClaim(
        "done-open",
        "these are committed; the list was not kept up",
        /(open|next|to ?do|pending|remaining|in[_ ]progress).*(add the ing dialect|use decimal for amounts|add dialects for csv)/,
      ),
    ],
  },
  {
    session: "ledgerlite",
    at: "cut",
    facts: [
      goal,
      cents,
      pandas,
      decimal,
      numbers,
      dialects,
      importer,
      howTest,
      branch,
      fact(
        "now",
        "open",
        3,
        "Which task is in the works?",
        /add dialects for csv/,
        /(in[_ ]progress|current|working on|doing).{0,80}dialect/,
      ),
      fact(
        "next",
        "open",
        2,
        "What comes after the dialects?",
        /detect the dialect from the header/,
        /document the dialects/,
        /readme with the list of dialects/,
      ),
      fact("commit", "state", 2, "What is committed?", /use decimal for amounts/),
      derivedFact("uncommitted", "state", 3, "Are the dialects committed?", uncommitted),
      fact("result", "verify", 1, "How many tests passed before the last edits?", /4 (tests )?pass/),
      derivedFact(
        "untested",
        "interrupted",
        2,
        "Were the dialects tested?",
        /(dialects|importer)\.py.{0,120}(not (yet )?(been )?(run|tested)|untested|since the last test)/,
        /(untested|not (yet )?(been )?tested|no tests? (run|since)).{0,160}(dialects|importer)/,
        /(last|latest)[^.]{0,40}(edit|write|step|wrote)[^.]{0,80}(dialects|importer)\.py/,
      ),
    ],
    claims: [
      falseClaim(
        "red",
        "the tests passed again",
        /(block|fail|critical|open|unresolved).*(nameerror|is not defined)/,
      ),
      falseClaim("done", "the dialects are not done", /(^|:: )\W*(done|completed)\b.*add dialects for csv/),
    ],
  },
];
