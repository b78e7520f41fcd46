import { type Digest, isTodo, type Source, type UsedFile } from "./digest.ts";
import { keepWords } from "./parts/words.ts";

/**
 * Returns the digest of work that went on from one session into another: what the later one says comes last. Places in the
 * later session follow those of the earlier one.
 */
export function mergeDigests(earlier: Digest, later: Digest): Digest {
  const moved = <Item extends Source>(item: Item): Item => ({ ...item, seq: item.seq + earlier.seq });
  const join = <Item extends Source>(one: readonly Item[], other: readonly Item[]) => [
    ...one,
    ...other.map(moved),
  ];
  const latest = <Item extends Source>(one: Item | null, other: Item | null) =>
    other === null ? one : moved(other);
  /** Leaves out what the later session has too. */
  const joinBy = <Item extends Source>(
    keyOf: (item: Item) => string,
    one: readonly Item[],
    other: readonly Item[],
  ) => {
    const known = new Set(other.map(keyOf));
    return join(
      one.filter((item) => !known.has(keyOf(item))),
      other,
    );
  };
  const byPath = ({ path }: UsedFile) => path;
  return {
    ...later,
    seq: earlier.seq + later.seq,
    startedAt: earlier.startedAt ?? later.startedAt,
    words: keepWords(join(earlier.words, later.words)),
    answers: join(earlier.answers.slice(-1), later.answers),
    findings: join(earlier.findings, later.findings),
    commits: join(earlier.commits, later.commits),
    push: latest(earlier.push, later.push),
    pullRequests: [...new Set([...earlier.pullRequests, ...later.pullRequests])],
    status: latest(earlier.status, later.status),
    edited: joinBy(byPath, earlier.edited, later.edited),
    read: joinBy(byPath, earlier.read, later.read),
    checks: {
      ...later.checks,
      results: joinBy(({ command }) => command, earlier.checks.results, later.checks.results),
    },
    // A session that keeps a list of its own begins anew with it.
    tasks:
      later.tasks.length > 0
        ? joinBy(
            ({ id }) => id,
            earlier.tasks.filter((task) => !isTodo(task)),
            later.tasks,
          )
        : earlier.tasks,
    plan: latest(earlier.plan, later.plan),
    agents: join(earlier.agents, later.agents),
    lastCall: later.lastCall === null ? null : moved(later.lastCall),
    calls: later.calls.map(moved),
    refused: later.refused.map(moved),
    tokens: {
      input: earlier.tokens.input + later.tokens.input,
      output: earlier.tokens.output + later.tokens.output,
    },
    wrong: [...earlier.wrong, ...later.wrong],
  };
}
