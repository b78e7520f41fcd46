import { type AppError, configError } from "../../lib/app-error.ts";
import { appendChild, readIndent, removeChild } from "../../lib/jsonc/edit-jsonc.ts";
import { findMember, type JsoncNode, parseJsonc, toValue } from "../../lib/jsonc/parse-jsonc.ts";

/** The name of our server in a list of servers. */
export const serverName = "carryon";

const list = "mcpServers";

/** Whose server of our name is in a list: nobody's, ours with this program, ours with another one, or somebody else's. */
export type ServerStanding = "missing" | "current" | "outdated" | "foreign";

/** Tells what a list of servers has under our name. */
export function judgeServer(text: string, program: string): ServerStanding {
  const servers = findServers(text);
  const server = servers && findMember(servers, serverName)?.node;
  if (server === undefined) return "missing";
  const { command, args } = (toValue(server) ?? {}) as { command?: unknown; args?: unknown };
  const isOurs =
    typeof command === "string" && /[\\/]bin[\\/]carryon$/.test(command) && isSame(args, ["mcp"]);
  if (!isOurs) return "foreign";
  return command === program ? "current" : "outdated";
}

/** Returns a list of servers with ours; the same text when it is there already. */
export function addServer(text: string, program: string): string {
  const standing = judgeServer(text, program);
  if (standing === "current") return text;
  const rest = standing === "outdated" ? removeServer(text, { keepList: true }) : text;
  const unit = readIndent(rest);
  const server = `"${serverName}": { "command": ${JSON.stringify(program)}, "args": ["mcp"] }`;
  const servers = findServers(rest);
  return servers === undefined
    ? appendChild(rest, readRoot(rest), `"${list}": {\n\t${server}\n}`, unit)
    : appendChild(rest, servers, server, unit);
}

/** Returns a list of servers without ours, and without the list where it is empty then, unless that is to stay. */
export function removeServer(text: string, { keepList }: { readonly keepList: boolean }): string {
  const servers = findServers(text);
  const server = servers && findMember(servers, serverName);
  if (servers === undefined || server === undefined) return text;
  const rest = removeChild(text, servers, servers.children.indexOf(server));
  const root = readRoot(rest);
  const left = findMember(root, list);
  if (keepList || left === undefined || left.node.children.length > 0) return rest;
  return removeChild(rest, root, root.children.indexOf(left));
}

/** Where the client keeps what its user said when it asked about a server, by the name of the server. */
const answers = ["enabledMcpjsonServers", "disabledMcpjsonServers"];

/** Returns settings without what was said of our server: an answer to a name would hold for any server of that name. */
export function forgetAnswers(text: string): string {
  return answers.reduce((rest, name) => {
    const said = findMember(readRoot(rest), name)?.node;
    const index = said?.children.findIndex(({ node }) => toValue(node) === serverName) ?? -1;
    if (said?.type !== "array" || index === -1) return rest;
    if (said.children.length > 1) return removeChild(rest, said, index);
    const root = readRoot(rest);
    return removeChild(
      rest,
      root,
      root.children.findIndex(({ key }) => key === name),
    );
  }, text);
}

/** Tells whether a text has a list of servers that is empty. */
export function hasEmptyServers(text: string): boolean {
  return findServers(text)?.children.length === 0;
}

function findServers(text: string): JsoncNode | undefined {
  const servers = findMember(readRoot(text), list)?.node;
  if (servers !== undefined && servers.type !== "object") throw badServers(`"${list}"`);
  return servers;
}

function readRoot(text: string): JsoncNode {
  const root = parseJsonc(text);
  if (root.type !== "object") throw badServers("What the file holds");
  return root;
}

function isSame(value: unknown, wanted: readonly string[]): boolean {
  return JSON.stringify(value) === JSON.stringify(wanted);
}

/** Says that a list of servers has a form in which none can be added or removed. */
function badServers(where: string): AppError {
  return configError("bad-settings", `${where} is not an object.`);
}
