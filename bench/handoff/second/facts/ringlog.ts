import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

const goal = fact(
  "goal",
  "goal",
  3,
  "How should the capacity of RingLog work?",
  /capacity in bytes/,
  /room of a log in bytes/,
  /bytes.{0,60}one allocation/,
  /o\(n\) on push/,
);
const unsafe = fact("unsafe", "pref", 2, "May I use unsafe?", /no unsafe/);
const msrv = fact(
  "msrv",
  "pref",
  2,
  "Which Rust version must it compile with?",
  /msrv.{0,40}1\.70/,
  /rust-version.{0,10}1\.70/,
);
const noWrap = fact(
  "no-wrap",
  "decision",
  3,
  "What happens with a record at the end of the ring?",
  /option b\b/,
  /never wraps?/,
  /records? (do not|don't|never) wrap/,
);
const iter = fact(
  "iter",
  "pref",
  2,
  "May iter return something else than slices?",
  /signature of .?iter/,
  /iter.{0,40}public api/,
);
const deprecated = fact(
  "deprecated",
  "decision",
  2,
  "What becomes of RingLog::new?",
  /(ringlog::)?new.{0,50}deprecated/,
  /deprecated.{0,40}\bnew\b/,
);
const cause = fact(
  "cause",
  "gotcha",
  3,
  "Why did push overflow when it forgot records?",
  /(empty ring|ring (is|was|ran) empty|runs? empty).{0,120}(head|\b0\b)/,
  /head.{0,80}(not reset|of an empty|back to 0|was not reset)/,
);
const lib = fact("f-lib", "files", 2, "Which file holds the ring?", /src\/lib\.rs/);
const model = fact(
  "f-model",
  "files",
  1,
  "Where is the test against a simple model?",
  /tests\/model\.rs/,
  /vecdeque model/,
);
const howTest = fact("how-test", "verify", 3, "How do I run the tests?", /cargo test/);
const changelog = fact("changelog", "open", 2, "What is left for the release?", /changelog/);
const wrongCause = falseClaim(
  "wrong-cause",
  "that guess did not help",
  /(cause|gotcha|finding|because|reason).*start (<|<=) self\.head/,
);

export const handoffs: readonly HandoffCase[] = [
  {
    session: "ringlog",
    at: "end",
    facts: [
      goal,
      unsafe,
      msrv,
      noWrap,
      iter,
      deprecated,
      cause,
      lib,
      model,
      howTest,
      changelog,
      fact(
        "gap",
        "decision",
        1,
        "What marks the room that is left empty?",
        /gap.{0,60}u32::max/,
        /u32::max.{0,60}gap/,
      ),
      fact(
        "compat-red",
        "verify",
        3,
        "Which tests fail now?",
        /compat.{0,120}(fail|\bred\b)/,
        /(fail|\bred\b)\w*.{0,120}compat/,
      ),
      fact("uncommitted", "state", 3, "Is tests/compat.rs committed?", uncommitted),
      fact(
        "question",
        "open",
        3,
        "Which decision is the user asked for?",
        /remove new in 0\.3/,
        /max_count/,
        /limit of records/,
      ),
      fact(
        "firmware",
        "gotcha",
        2,
        "Who still relies on RingLog::new, and on what?",
        /firmware.{0,120}(last 2|exactly|new\(2\))/,
      ),
      fact(
        "publish",
        "pref",
        2,
        "May I publish the crate?",
        /(don't|do not|not|never) publish/,
        /cargo publish/,
      ),
      fact("commit", "state", 2, "Which commit holds the ring of bytes?", /count the room of a log in bytes/),
      fact("commit-2", "state", 1, "What was committed last?", /refuse records as long as the gap marker/),
      fact("lint", "verify", 2, "Which lint must be clean?", /cargo clippy/, /clippy.{0,40}clean/),
      fact(
        "msrv-open",
        "open",
        1,
        "Was the oldest Rust version tried?",
        /(could not|couldn't|not|never) check.{0,20}msrv/,
        /msrv.{0,60}(not|un)checked/,
        /only one toolchain/,
      ),
      fact("edges", "done", 1, "Are tiny rings tested?", /tests\/edges\.rs/, /ring of 0 bytes/),
    ],
    claims: [
      falseClaim(
        "model-red",
        "these pass since the head is reset",
        /(block|fail|critical|open|unresolved).*(keeps_a_suffix|model\.rs|--test model|subtract with overflow|wrap\.rs|a_record_that_wraps)/,
      ),
      wrongCause,
      falseClaim(
        "clippy",
        "clippy is clean",
        /(block|failing|failed|critical|open|unresolved).*(no .?is_empty|len_without_is_empty|len-without-is-empty)/,
      ),
      falseClaim("all-green", "the compat tests fail", /all tests (pass|are green)/),
    ],
  },
  {
    session: "ringlog",
    at: "cut",
    facts: [
      goal,
      unsafe,
      msrv,
      noWrap,
      iter,
      deprecated,
      cause,
      lib,
      model,
      howTest,
      { ...changelog, weight: 1 },
      fact(
        "red",
        "verify",
        3,
        "Which test fails at the moment?",
        /(keeps_a_suffix|model\.rs|--test model|model test).{0,160}(fail|\bred\b|panick)/,
        /(fail|\bred\b|panick)\w*.{0,160}(keeps_a_suffix|model\.rs|--test model)/,
        /nothing to forget/,
      ),
      derivedFact("uncommitted", "state", 3, "Is anything committed?", uncommitted),
      fact(
        "next",
        "open",
        3,
        "What has to be changed to mend it?",
        /back to 0 when/,
        /(must|has to|needs to) go back to 0/,
      ),
      fact(
        "task",
        "open",
        2,
        "Which point of the list is in the works?",
        /property test against a vecdeque model/,
      ),
    ],
    claims: [wrongCause, falseClaim("green", "the model test fails", /all tests (pass|are green)/)],
  },
];
