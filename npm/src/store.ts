// Tables of the solvers: in files where there are any, otherwise in memory.

/** Files of tables. The module reads and writes them synchronously. */
export interface Files {
  /** Prepares for the other calls. */
  open(): Promise<void>;
  /** The size of a table in bytes. */
  size(name: string): number | undefined;
  /** Fills a buffer from a position of a table on; returns whether there were enough bytes. */
  read(name: string, buffer: Uint8Array, at: number): boolean;
  /** Replaces a table by these parts in order; returns whether there was room. */
  write(name: string, parts: Uint8Array[]): boolean;
  /** Forgets a table whose contents are of no use. */
  remove(name: string): void;
}

/** The number of bytes copied out of shared memory at a time. */
const PIECE = 1 << 20;
/** The size of the largest table that is kept in memory if it cannot be stored. */
const LARGEST = 512 << 20;

/** The tables that a worker reads and keeps. */
export class Store {
  private opened?: Promise<void>;

  /** `passed` are tables that an earlier worker could not store; `share` receives those that this one cannot. */
  constructor(
    private readonly passed: Map<string, Uint8Array>,
    private readonly share: (name: string, bytes: Uint8Array) => void,
    private readonly files?: Files,
  ) {}

  /** Opens the files, if they are not open yet. */
  open(): Promise<void> {
    this.opened ??= this.files?.open() ?? Promise.resolve();
    return this.opened;
  }

  /** The size of a table in bytes. */
  kept(name: string): number | undefined {
    return this.files?.size(name) ?? this.passed.get(name)?.length;
  }

  /** Fills a buffer; returns whether the table had enough bytes. */
  read(name: string, buffer: Uint8Array, offset: number): boolean {
    if (this.files?.size(name) !== undefined) return this.files.read(name, buffer, offset);
    const part = this.passed.get(name)?.subarray(offset, offset + buffer.length);
    if (part?.length !== buffer.length) return false;
    buffer.set(part);
    return true;
  }

  /** Keeps a table. Without room it goes to the main thread, which passes it to the next worker. */
  keep(name: string, parts: Uint8Array[]): boolean {
    if (this.files?.write(name, parts)) return true;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > LARGEST) return false;
    const bytes = new Uint8Array(length);
    fill(parts, (part, at) => bytes.set(part, at));
    this.passed.set(name, bytes);
    this.share(name, bytes);
    return false;
  }

  remove(name: string) {
    this.passed.delete(name);
    this.files?.remove(name);
  }
}

/** Puts each part at the end of those before it, from a position on. */
function fill(parts: Uint8Array[], put: (part: Uint8Array, at: number) => void, at = 0) {
  for (const part of parts) {
    put(part, at);
    at += part.length;
  }
}

const isShared = (bytes: Uint8Array) => !(bytes.buffer instanceof ArrayBuffer);

/** Fills a buffer by `read`, by way of a copy if it is in shared memory, into which not every file can be read. */
export function readWhole(read: (piece: Uint8Array, at: number) => number, buffer: Uint8Array, at: number): boolean {
  const size = isShared(buffer) ? PIECE : Math.max(1, buffer.length);
  for (let done = 0; done < buffer.length; done += size) {
    const part = buffer.subarray(done, done + size);
    const piece = isShared(buffer) ? new Uint8Array(part.length) : part;
    for (let filled = 0; filled < piece.length;) {
      const more = read(piece.subarray(filled), at + done + filled);
      if (more <= 0) return false;
      filled += more;
    }
    if (piece !== part) part.set(piece);
  }
  return true;
}

/** Writes all bytes of these parts by `write`, by way of a copy if they are in shared memory. */
export function writeWhole(write: (piece: Uint8Array, at: number) => number, parts: Uint8Array[], at: number) {
  fill(parts, (part, from) => writePart(write, part, from), at);
}

function writePart(write: (piece: Uint8Array, at: number) => number, bytes: Uint8Array, at: number) {
  const size = isShared(bytes) ? PIECE : Math.max(1, bytes.length);
  for (let done = 0; done < bytes.length; done += size) {
    const part = bytes.subarray(done, done + size);
    const piece = isShared(bytes) ? part.slice() : part;
    for (let gone = 0; gone < piece.length;) {
      const more = write(piece.subarray(gone), at + done + gone);
      if (more <= 0) throw new Error("no room");
      gone += more;
    }
  }
}
