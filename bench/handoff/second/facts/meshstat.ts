import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

const crash = fact(
  "crash",
  "goal",
  3,
  "Which files crash meshstat?",
  /(crash|\blies?\b|lying).{0,120}(stl|facet|count)/,
  /count.{0,40}\blies\b/,
);
const speed = fact("speed", "goal", 3, "What is too slow?", /(ascii|180 mb).{0,80}(slow|40 s|fast)/);
const gcc = fact("gcc", "pref", 3, "Which compiler must it build with?", /gcc ?:?9\b/);
const noDependencies = fact("no-dependencies", "pref", 1, "May I add a library?", /no dependenc/);
const noMap = fact(
  "no-map",
  "decision",
  3,
  "May I map the file into memory?",
  /no mmap/,
  /(no|not|without) (a )?memory[- ]map/,
  /ship(ping)? on windows/,
);
const fromChars = fact(
  "from-chars",
  "gotcha",
  3,
  "Why is std::from_chars not used?",
  /from_chars.{0,80}gcc/,
  /gcc.{0,60}from_chars/,
);
const solid = fact(
  "solid",
  "gotcha",
  2,
  "How is a binary file told from text?",
  /(begin|start)s? with (the word )?.?solid/,
  /solid.{0,40}into binary files/,
);
const trailing = fact(
  "trailing",
  "pref",
  2,
  "What about bytes behind the facets?",
  /trailing bytes/,
  /colour data/,
);
const generated = fact(
  "generated",
  "pref",
  2,
  "May the file for measurements be committed?",
  /(don't|do not|not) commit the generated/,
  /generated file outside/,
);
const reader = fact("f-reader", "files", 2, "Which file has the reader?", /src\/stl\.cpp/);
const tests = fact("f-tests", "files", 1, "Where are the tests?", /stl_test\.cpp/);
const howTest = fact("how-test", "verify", 3, "How do I run the tests?", /\bctest\b/);
const sanitizers = fact(
  "sanitizers",
  "verify",
  2,
  "How do I build with sanitizers?",
  /build-asan/,
  /meshstat_sanitize/,
);
const red = falseClaim(
  "red",
  "the tests pass",
  /(block|fail|critical|open|unresolved).*(lie\.stl|solid\.stl|1 - stl|stl_test\.cpp:\d+)/,
);

export const handoffs: readonly HandoffCase[] = [
  {
    session: "meshstat",
    at: "end",
    facts: [
      crash,
      speed,
      gcc,
      noDependencies,
      noMap,
      fromChars,
      solid,
      trailing,
      generated,
      reader,
      tests,
      howTest,
      sanitizers,
      fact("strtof", "decision", 2, "How are floats read?", /strtof/),
      fact(
        "locale",
        "gotcha",
        1,
        "What does the reading of floats depend on?",
        /\bc locale\b/,
        /setlocale/,
        /obeys the locale/,
      ),
      fact(
        "names",
        "open",
        3,
        "Which text is still taken for a vertex by mistake?",
        /(names? with|name of the solid).{0,60}vertex/,
        /vertex.{0,40}in the name/,
      ),
      fact("ci", "open", 3, "Which CI job was asked for?", /ci job/, /gcc:9/),
      fact(
        "stopped",
        "interrupted",
        2,
        "How far did the last request get?",
        /(unanswered|interrupted|in progress|last request|last prompt|broke off|unfinished|not answered)[^.]{0,200}(vertex|gcc:9|handle that)/,
        /only accept it there/,
      ),
      fact(
        "result",
        "verify",
        2,
        "Do the tests pass?",
        /tests pass under (asan|the sanitizers)/,
        /100% tests passed/,
      ),
      fact("commit", "state", 3, "What was committed last?", /read ascii stl files in one go/),
      fact("commit-1", "state", 1, "Is the crash fixed and committed?", /check the count of binary stl/),
      fact("branch", "state", 1, "On which branch was this?", /perf\/stl-reader/),
    ],
    claims: [
      red,
      falseClaim(
        "overtaken",
        "the summary is older than the work: both are committed",
        /(open|next|to ?do|pending|remaining).*(make read_ascii fast|next is read_ascii|test for (a )?broken vertex|measure with the generated)/,
      ),
      falseClaim(
        "map",
        "the user does not want it",
        /(decision|next|plan|to ?do).*(use a memory map|use mmap)/,
      ),
      falseClaim(
        "chars",
        "it was replaced by strtof",
        /(decision|current|now|done|uses).*(use|uses|using|with) std::from_chars/,
      ),
    ],
  },
  {
    session: "meshstat",
    at: "cut",
    facts: [
      crash,
      speed,
      gcc,
      noMap,
      fromChars,
      trailing,
      generated,
      reader,
      howTest,
      sanitizers,
      fact("strtof", "decision", 2, "What is to take the place of from_chars?", /strtof/),
      fact("commit", "state", 3, "What is committed?", /check the count of binary stl/),
      derivedFact("uncommitted", "state", 3, "Is the faster reader committed?", uncommitted),
      fact("measure", "verify", 2, "Which file is measured with?", /\/tmp\/mesh\/big\.stl/),
    ],
    claims: [red],
  },
];
