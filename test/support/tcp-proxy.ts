import { connect as connectTo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What becomes of the bytes between a client and a server. */
export type Weather =
  | { readonly type: "fair" }
  /** Nothing arrives any more, and nobody is told. */
  | { readonly type: "black-hole" }
  | { readonly type: "delay"; readonly ms: number }
  | { readonly type: "slice"; readonly bytes: number }
  /** The connection breaks when the client says this: before it reaches the server, or before the reply comes back. */
  | { readonly type: "cut-before" | "cut-reply"; readonly said: string };

/** Stands between a client and a server, and does to their connections what it is told. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Changes what happens from now on, also to connections that are there; a cut happens once. */
  become(weather: Weather): void;
  /** How many connections it has broken. */
  readonly cuts: number;
  /** How often a client has said something after the server had: at least as often has it waited for an answer. */
  readonly turns: number;
  /** Breaks every connection. */
  cutAll(): void;
}

/** Opens a proxy on a free port before a server of this machine. */
export async function openProxy(serverPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let weather: Weather = { type: "fair" };
  let cuts = 0;
  let turns = 0;
  const cut = (...sockets: readonly Socket[]) => {
    cuts += 1;
    weather = { type: "fair" };
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const proxy = createServer((client) => {
    const server = connectTo(serverPort, "127.0.0.1");
    let isReplyCut = false;
    let isAnswered = true;
    const fromClient = async (bytes: Buffer) => {
      if (isAnswered) turns += 1;
      isAnswered = false;
      const isSaid = "said" in weather && bytes.includes(weather.said);
      if (isSaid && weather.type === "cut-before") return cut(client, server);
      isReplyCut ||= isSaid;
      await pass(bytes, server, weather);
    };
    const fromServer = async (bytes: Buffer) => {
      isAnswered = true;
      return isReplyCut ? cut(client, server) : pass(bytes, client, weather);
    };
    for (const socket of [client, server]) {
      open.add(socket.setNoDelay());
      socket.once("close", () => open.delete(socket));
    }
    void relay(client, server, fromClient);
    void relay(server, client, fromServer);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    become: (next) => {
      weather = next;
    },
    get cuts() {
      return cuts;
    },
    get turns() {
      return turns;
    },
    cutAll: () => cut(...open),
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

async function pass(bytes: Buffer, to: Socket, weather: Weather): Promise<void> {
  if (weather.type === "black-hole") return;
  if (weather.type === "delay") await sleep(weather.ms);
  const size = weather.type === "slice" ? weather.bytes : bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) => to.write(bytes.subarray(at, at + size), resolve));
  }
}

/** One side that breaks or ends takes the other with it. */
async function relay(
  from: Socket,
  to: Socket,
  onBytes: (bytes: Buffer) => Promise<void> | void,
): Promise<void> {
  try {
    for await (const bytes of from) await onBytes(bytes);
    to.end();
  } catch {
    // The other side learns of it by the end of its own connection.
    to.destroy();
  }
}
