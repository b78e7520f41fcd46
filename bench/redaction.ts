import { createSecretKey } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { makeRedactor } from "../src/redaction/redactor.ts";
import type { Bench, Outcome } from "./figure.ts";
import { compare, interleave, medianOf, type Subject, subject } from "./measure.ts";

const megabyte = 1 << 20;
const samples = 80;

/** The search for secrets in a megabyte of text, beside the time in which the same text becomes JSON. */
export async function redaction(bench: Bench): Promise<Outcome> {
  const texts = { clean: makeCleanText(), dense: makeDenseText() };
  const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 1)));
  const times = await interleave(
    Object.entries(texts).flatMap(([name, text]) => [
      textSubject(`redact ${name}`, text, redactText),
      textSubject(`stringify ${name}`, text, JSON.stringify),
    ]),
    Math.min(bench.scale.rounds, samples),
  );
  const limit = "JSON.stringify of the same text";
  return {
    measurements: [
      {
        work: "redaction of source code without secrets",
        limit,
        ...compare(times, "redact clean", "stringify clean"),
      },
      { work: "redaction of a text of secrets", limit, ...compare(times, "redact dense", "stringify dense") },
    ],
    milliseconds: {
      "redaction, 1 MB of source code": medianOf(times, "redact clean"),
      "redaction, 1 MB of secrets": medianOf(times, "redact dense"),
      "JSON.stringify, 1 MB of source code": medianOf(times, "stringify clean"),
    },
  };
}

function textSubject(name: string, text: string, work: (text: string) => string): Subject<unknown> {
  return subject({ name, prepare: () => text, work });
}

/** Returns the source of this package, over and over. */
function makeCleanText(): string {
  const source = globSync("src/**/*.ts")
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  return source.repeat(Math.ceil(megabyte / source.length)).slice(0, megabyte);
}

/** Makes lines with a secret each, of a dozen kinds, from a fixed seed. */
function makeDenseText(): string {
  let state = 20_261_115;
  const draw = (length: number): string =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return ((state >>> 8) % 36).toString(36);
    }).join("");
  const makers = [
    () => `export GITHUB_TOKEN=ghp_${draw(36)}`,
    () => `{"api_key":"${draw(32)}","model":"small"}`,
    () => `postgres://app:${draw(16)}@db.example.com/main`,
    () => `Authorization: Bearer ${draw(40)}`,
    () => `sk-ant-api03-${draw(90)}`,
    () => `curl 'https://example.com/?access_token=${draw(30)}&page=1'`,
  ];
  const lines: string[] = [];
  for (let length = 0; length < megabyte; length += (lines.at(-1)?.length ?? 0) + 1)
    lines.push(makers[lines.length % makers.length]?.() ?? "");
  return lines.join("\n").slice(0, megabyte);
}
