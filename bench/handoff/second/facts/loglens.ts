import { fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

const goal = fact(
  "goal",
  "goal",
  3,
  "What should the report show?",
  /slowest paths/,
  /(count and )?p95 latency per path/,
);
const memory = fact(
  "memory",
  "pref",
  2,
  "How much may be held in memory?",
  /2 gb of memory/,
  /never hold the values/,
  /(not|never|without).{0,30}values in memory/,
);
const core = fact(
  "core",
  "pref",
  3,
  "Which Perl, and which modules, may be used?",
  /perl 5\.16/,
  /core modules only/,
  /nothing from cpan/,
);
const tokens = fact(
  "tokens",
  "pref",
  3,
  "What must happen to query strings?",
  /quer(y|ies).{0,80}(drop|token|cut|strip)/,
  /(drop|cut|strip)\w*.{0,40}quer(y|ies)/,
);
const addresses = fact(
  "addresses",
  "pref",
  2,
  "May client addresses be shown?",
  /no client addresses/,
  /(neither|never|nor|no|not).{0,40}addresses/,
);
const histogram = fact(
  "histogram",
  "decision",
  3,
  "How are quantiles found?",
  /histogram.{0,120}(bucket|quantile|grow|5 ?%)/,
  /quantiles in a histogram/,
);
const error = fact(
  "error",
  "decision",
  1,
  "How far off may a quantile be?",
  /(at most |error of )?5 ?% (off|is fine|error)/,
  /error of (at most )?5 ?%/,
  /5 ?% growth/,
);
const limit = fact(
  "limit",
  "pref",
  2,
  "How many paths are kept?",
  /10,?000 (distinct |folded )?paths/,
  /\(other\)/,
);
const numeric = fact(
  "numeric",
  "gotcha",
  2,
  "Why were the quantiles wrong at first?",
  /sorts? (keys )?(sorts )?as text/,
  /(must be|was the) numeric/,
  /numeric sort/,
);
const howTest = fact("how-test", "verify", 3, "How do I run the tests?", /prove -l/);
const program = fact("f-program", "files", 2, "Where is the program?", /bin\/loglens/);
const library = fact(
  "f-library",
  "files",
  1,
  "Where are the parser and the histogram?",
  /loglens\/(parser|histogram)\.pm/,
);
const branch = fact("branch", "state", 1, "On which branch was this?", /slow-paths/);

export const handoffs: readonly HandoffCase[] = [
  {
    session: "loglens",
    at: "end",
    facts: [
      goal,
      memory,
      core,
      tokens,
      addresses,
      histogram,
      error,
      limit,
      numeric,
      howTest,
      program,
      library,
      fact(
        "percentile",
        "decision",
        3,
        "Which percentile is shown unless told, and how is it changed?",
        /--percentile.{0,60}\b99\b/,
        /p99, not p95/,
      ),
      fact(
        "uuids",
        "done",
        2,
        "What becomes of ids in paths?",
        /fold(ed|s|ing)?.{0,40}uuid/,
        /digits become :id/,
      ),
      fact("gzip", "decision", 1, "How are compressed logs read?", /gzip -dc/),
      fact(
        "backtracking",
        "gotcha",
        2,
        "Is it worth to make the expression of a line lazy?",
        /lazy and greedy take the same/,
        /(backtrack\w*|greedy).{0,60}was wrong/,
      ),
      fact("speed", "verify", 2, "How long does a day of logs take?", /five minutes of cpu/, /0\.4 s of cpu/),
      fact("merge", "open", 2, "What was put off until operations have measured?", /--dump.{0,20}--merge/),
      fact(
        "pod",
        "open",
        3,
        "Which question to the user is open?",
        /write the pod/,
        /\bpod\b.{0,80}(commit|documentation|end of)/,
      ),
      fact("uncommitted", "state", 3, "Is the option for the percentile committed?", uncommitted),
      fact("commit", "state", 2, "What was committed last?", /fold uuids, and anchor/),
      fact(
        "result",
        "verify",
        2,
        "Do the tests pass?",
        /tests pass: parser/,
        /tests=13/,
        /all tests (pass|successful)/,
        /13 tests/,
      ),
    ],
    claims: [
      falseClaim("p95", "the default is p99 now", /(decision|current|default|now).*\bp95\b(?!.{0,40}p99)/),
      falseClaim(
        "red",
        "the tests pass",
        /(block|fail|critical|open|unresolved).*(quantile 0\.\d+ is close|drops the query|t\/histogram\.t)/,
      ),
      falseClaim(
        "lazy",
        "it made no difference and was taken back",
        /(next|to ?do|cause|because|finding).*(backtracks over every line|nothing to backtrack)/,
      ),
      falseClaim(
        "merge-now",
        "the user put it off",
        /(in[_ ]progress|doing|next step|next).*(do --dump|implement --dump|add --dump)/,
      ),
    ],
  },
  {
    session: "loglens",
    at: "cut",
    facts: [
      goal,
      memory,
      core,
      tokens,
      addresses,
      histogram,
      error,
      limit,
      numeric,
      howTest,
      program,
      library,
      branch,
      fact(
        "uuids",
        "open",
        3,
        "What was just asked for about paths?",
        /fold those as well/,
        /fold.{0,40}uuid/,
        /\/cart\/<?uuid/,
      ),
      fact(
        "night",
        "open",
        3,
        "Which question about time is not answered?",
        /from 1 to 5/,
        /finish in the night/,
      ),
      fact("commit", "state", 2, "What was committed last?", /report the slowest paths/),
      fact("result", "verify", 1, "Do the tests pass?", /tests=11/, /all tests (pass|successful)/),
    ],
    claims: [
      falseClaim(
        "red",
        "the tests pass",
        /(block|fail|critical|open|unresolved).*(quantile 0\.\d+ is close|drops the query|t\/histogram\.t)/,
      ),
    ],
  },
];
