import { type Argument, isExact } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { type Classification, unknown, writes } from "../classification.ts";
import { always, type Call, plainly, type Rule } from "../rule.ts";

const modules: Readonly<Record<string, Rule>> = {
  "json.tool": byOptions({ otherwise: "reads", long: ["--indent"], writesFrom: 1 }),
  venv: always("writes"),
  virtualenv: always("writes"),
  compileall: always("writes"),
  py_compile: always("writes"),
  ensurepip: always("writes"),
  tokenize: always("reads"),
  ast: always("reads"),
  dis: always("reads"),
  calendar: always("reads"),
  this: always("reads"),
  site: always("reads"),
  zipfile: byOptions({
    otherwise: "unknown",
    reads: ["-l", "--list", "-t", "--test"],
    writes: ["-e", "--extract", "-c", "--create"],
  }),
  tarfile: byOptions({
    otherwise: "unknown",
    reads: ["-l", "--list", "-t", "--test"],
    writes: ["-e", "--extract", "-c", "--create"],
  }),
};

/** Programs that are modules too, as `python -m pip`. */
const programs = /^(?:pip|black|ruff|isort|autopep8|yapf|pytest|mypy|flake8)$/;

/** Judges `python -m MODULE …`. */
export function pythonModule(call: Call, [module, ...args]: readonly Argument[]): Classification {
  if (module === undefined || !isExact(module))
    return unknown("Which module runs is decided only when it runs.");
  if (programs.test(module.text)) return call.runs([module, ...args]);
  const rule = new Map(Object.entries(modules)).get(module.text);
  const name = `${call.name} -m ${module.text}`;
  if (rule === undefined) return plainly("unknown", name);
  const found = rule({ ...call, name, args });
  return found.verdict === "writes" ? writes(`\`${name}\` writes files.`) : found;
}
