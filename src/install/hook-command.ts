/** What a hook is run with. */
export interface HookCommand {
  /** The absolute path of a fit Node. */
  readonly node: string;
  /** The absolute path of the bundled hook. */
  readonly hook: string;
}

/** Renders the command that a client's shell runs; where Node or the hook has gone, it does nothing and succeeds. */
export function renderHookCommand({ node, hook }: HookCommand): string {
  const [program, script] = [quote(node), quote(hook)];
  return `if [ -x ${program} ] && [ -f ${script} ]; then exec ${program} ${script}; fi`;
}

const quoted = String.raw`'((?:[^']|'\\'')*)'`;
const rendered = new RegExp(
  String.raw`^if \[ -x ${quoted} \] && \[ -f ${quoted} \]; then exec ${quoted} ${quoted}; fi$`,
);

/** Reads a command that `renderHookCommand` rendered; undefined for any other. */
export function parseHookCommand(command: string): HookCommand | undefined {
  const [, node, hook] = rendered.exec(command) ?? [];
  if (node === undefined || hook === undefined) return undefined;
  return { node: unquote(node), hook: unquote(hook) };
}

/** In single quotes a shell takes everything as it is but the quote itself. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function unquote(inner: string): string {
  return inner.replaceAll(String.raw`'\''`, "'");
}
