import type { GateConfig } from "../gate.ts";
import type { FactSources } from "../gather-facts.ts";
import type { FileProblem } from "../state/problem.ts";

/** Where a session meets gates. */
export interface GateSurroundings extends Omit<FactSources, "findOthers"> {
  readonly config: GateConfig;
  /** The folder that all work trees of the repository share. */
  readonly commonFolder: string;
  /** The user's folder of the client: `~/.claude`. */
  readonly clientFolder: string;
  /** A folder for what is kept of this session outside of all that its commands work on. */
  readonly ledger: string;
  /** The program by which commands of the client start Carryon, beside its name. */
  readonly launcher?: string;
  /** This process, and the client that it works for. */
  readonly process: { readonly pid: number; readonly client: number };
  /** Is told what is wrong with the files of the gates; nothing of it stops the work. */
  readonly tell: (problem: FileProblem) => void;
}
