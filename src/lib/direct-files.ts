import * as files from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { monotonicMs } from "./clock.ts";

/**
 * What `node:fs/promises` does, done at once and in this thread, for a program of a moment that has nothing else to do: each
 * of its promises costs a way to another thread and back, which takes several times as long as to look at a file.
 *
 * Bundles take it in the place of `node:fs/promises`: see scripts/bundle-start.ts.
 */

/** How long work goes on before timers and others have their turn. */
const turnMs = 10;
let turn = monotonicMs();

function directly<Given extends readonly unknown[], Result>(work: (...given: Given) => Result) {
  return async (...given: Given): Promise<Result> => {
    if (monotonicMs() - turn > turnMs) {
      await new Promise((resolve) => setImmediate(resolve));
      turn = monotonicMs();
    }
    return work(...given);
  };
}

export const { constants } = files;
export const access = directly(files.accessSync);
export const appendFile = directly(files.appendFileSync);
export const chmod = directly(files.chmodSync);
export const copyFile = directly(files.copyFileSync);
export const lchown = directly(files.lchownSync);
export const link = directly(files.linkSync);
export const lstat = directly(files.lstatSync);
export const mkdir = directly(files.mkdirSync);
export const mkdtemp = directly(files.mkdtempSync);
export const readdir = directly(files.readdirSync);
export const readFile = directly(files.readFileSync);
export const readlink = directly(files.readlinkSync);
export const realpath = directly(files.realpathSync.native);
export const rename = directly(files.renameSync);
export const rm = directly(files.rmSync);
export const rmdir = directly(files.rmdirSync);
export const stat = directly(files.statSync);
export const statfs = directly(files.statfsSync);
export const symlink = directly(files.symlinkSync);
export const unlink = directly(files.unlinkSync);
export const utimes = directly(files.utimesSync);
export const writeFile = directly(files.writeFileSync);

/** Opens a file. */
export const open = directly(
  (...given: Parameters<typeof files.openSync>) => new DirectHandle(files.openSync(...given)),
);

type Position = number | bigint | null;

/** As much of a `FileHandle` as Carryon uses. */
class DirectHandle implements Pick<FileHandle, "fd" | "sync" | "datasync" | "close" | "chmod" | "truncate"> {
  readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  async read(buffer: Buffer, offset = 0, length: number | null = null, position: Position = null) {
    const bytesRead = files.readSync(this.fd, buffer, offset, length ?? buffer.length - offset, position);
    return { bytesRead, buffer };
  }

  async write(buffer: Uint8Array, offset?: number, length?: number, position?: number | null) {
    return { bytesWritten: files.writeSync(this.fd, buffer, offset, length, position), buffer };
  }

  async readFile(encoding?: BufferEncoding): Promise<Buffer | string> {
    return encoding === undefined ? files.readFileSync(this.fd) : files.readFileSync(this.fd, { encoding });
  }

  async writeFile(data: string | Uint8Array): Promise<void> {
    files.writeFileSync(this.fd, data);
  }

  async stat(options?: files.StatOptions) {
    return files.fstatSync(this.fd, options);
  }

  async chmod(mode: files.Mode): Promise<void> {
    files.fchmodSync(this.fd, mode);
  }

  async truncate(length?: number): Promise<void> {
    files.ftruncateSync(this.fd, length);
  }

  async sync(): Promise<void> {
    files.fsyncSync(this.fd);
  }

  async datasync(): Promise<void> {
    files.fdatasyncSync(this.fd);
  }

  async close(): Promise<void> {
    files.closeSync(this.fd);
  }
}
