import type { Fixtures } from "./fixtures.ts";

/** One measured ratio beside its bar. */
export interface Measurement {
  readonly work: string;
  /** What the ratio is to: the limit, measured in the same run or named by the bar itself. */
  readonly limit: string;
  readonly ratio: number;
  /** The lowest and highest ratio within the run, where it was measured in blocks. */
  readonly low?: number;
  readonly high?: number;
  /** The ratio must not be greater; a measurement without a bar is there for comparison. */
  readonly bar?: number;
  readonly n: number;
}

/** The cost of one append against the length of the session, in bare inserts. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
  /** Why there are no points. */
  readonly missing?: string;
}

export interface Point {
  readonly length: number;
  readonly ratio: number;
  readonly n: number;
}

/** What a figure found. Milliseconds are an aside: they belong to one machine, the ratios do not. */
export interface Outcome {
  readonly measurements: readonly Measurement[];
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly series?: readonly Series[];
  readonly notes?: readonly string[];
}

/** Sizes of the work; `--quick` makes them small. */
export interface Scale {
  readonly long: number;
  readonly readLength: number;
  readonly sessions: number;
  readonly forkedLength: number;
  readonly decisions: number;
  /** In the project of the session starts. */
  readonly startDecisions: number;
  readonly startSessions: number;
  /** In a repository. */
  readonly files: number;
  /** To be searched. */
  readonly messages: number;
  readonly lengths: readonly number[];
  readonly rounds: number;
  /** Of each set of sessions, handed over at each moment. */
  readonly handoffs: number;
}

/** Where a figure works and how much. */
export interface Bench {
  readonly folder: string;
  readonly scale: Scale;
  readonly fixtures: Fixtures;
}

export type Figure = (bench: Bench) => Promise<Outcome>;
