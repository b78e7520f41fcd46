import { connect, createServer, type Server, type Socket } from "node:net";
import { inject } from "vitest";

/** A server that is no good PostgreSQL, on a port of this machine; gone with its scope. */
export interface FakeServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts a server that does with each connection what it is told. */
export async function listen(onConnection: (socket: Socket) => void): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  // The worst kind: it does not hang up when the other side does.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    // The other side may hang up at any time.
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  await using server = await listen(() => undefined);
  return server.port;
}

/** What servers do to a connection. */
export const behaviours = {
  saysNothing: () => undefined,
  hangsUp: (socket: Socket) => void socket.resetAndDestroy(),
  speaksHttp: (socket: Socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  /** Agrees to TLS, and never begins it. */
  promisesTls: (socket: Socket) => void socket.once("data", () => socket.write("S")),
  knowsNoTls: (socket: Socket) => void socket.once("data", () => socket.write("N")),
  /** Lets everybody in, and answers no question. */
  answersNothing: (socket: Socket) =>
    void socket.once("data", () => socket.write(Buffer.concat([authentication(0), readyForQuery]))),
  /** Begins the usual exchange for a password, which nobody can go on with who has none. */
  wantsPassword: (socket: Socket) =>
    void socket.once("data", () => {
      socket.write(authentication(10, Buffer.from("SCRAM-SHA-256\0\0")));
      socket.once("data", () => socket.write(authentication(11, Buffer.from("r=x,s=x,i=1"))));
    }),
} satisfies Record<string, (socket: Socket) => void>;

/** Asks for the password in clear text, passes it on, and then says that it is wrong. */
export function refusePasswords(onPassword: (password: string) => void): (socket: Socket) => void {
  return (socket) => {
    socket.once("data", () => {
      socket.write(authentication(3));
      socket.once("data", (answer) => {
        onPassword(answer.toString().slice(5, -1));
        socket.end(wrongPassword);
      });
    });
  };
}

/** Passes everything on to the PostgreSQL of the tests until a question holds a word, and then nothing. */
export function hangAt(word: string): (socket: Socket) => void {
  return (socket) => {
    const { hostname, port } = new URL(inject("postgresUrl"));
    const real = connect(Number(port), hostname);
    real.on("error", () => undefined).pipe(socket);
    socket.on("close", () => real.destroy());
    socket.on("data", (bytes) => {
      if (bytes.includes(word)) socket.removeAllListeners("data").resume();
      else real.write(bytes);
    });
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}

/** Makes a message of PostgreSQL's protocol. */
function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function authentication(method: number, ...details: readonly Buffer[]): Buffer {
  return message("R", int32(method), ...details);
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

const readyForQuery = message("Z", Buffer.from("I"));
const wrongPassword = message(
  "E",
  Buffer.from('SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "me"\0\0'),
);
