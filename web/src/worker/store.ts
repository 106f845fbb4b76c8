// Tables in the origin private file system. The module reads and writes synchronously, which a worker can do with
// files that are already open, so all tables are opened at the start, and a few spare files for new ones. A
// file is used by one worker at a time; one that another tab has open counts as missing, and is neither read
// nor replaced.
//
// A file begins with its name, padded to PREFIX bytes, which is written last, so a file that was not written to
// its end belongs to no table. The bytes after it are checked by the module, block by block.

const PREFIX = 128;
const FOLDER = "tables";
const SPARE = 16;
const ATTEMPTS = 20;
/** The number of bytes copied out of shared memory at a time. */
const PIECE = 1 << 20;
/** The size of the largest table that the page keeps in memory if it cannot be stored. */
const LARGEST = 512 << 20;

interface Slot {
  file: string;
  handle: FileSystemSyncAccessHandle;
  /** The table; empty in a spare file. */
  name: string;
}

/** The tables of this origin; kept only in memory if the browser stores no files. */
export class Store {
  private readonly slots: Slot[] = [];
  private opened?: Promise<void>;

  /** `passed` are tables that an earlier worker could not keep; `share` receives those that this one cannot. */
  constructor(
    private readonly passed: Map<string, Uint8Array>,
    private readonly share: (name: string, bytes: Uint8Array) => void,
  ) {}

  /** Opens the files, if they are not open yet. */
  open(): Promise<void> {
    this.opened ??= this.openFiles();
    return this.opened;
  }

  private async openFiles() {
    const { slots } = this;
    try {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle(FOLDER, { create: true });
      const open = async (file: string, create: boolean) => {
        const entry = await folder.getFileHandle(file, { create });
        // A worker that was just ended may keep the file open a moment longer.
        for (let attempt = 0; ; attempt += 1) {
          try {
            const handle = await entry.createSyncAccessHandle();
            slots.push({ file, handle, name: nameOf(handle) });
            return;
          } catch (error) {
            if (attempt === ATTEMPTS) throw error;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }
      };
      const names: string[] = [];
      for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
      for (const file of names) await open(file, false).catch(() => undefined);
      for (let spare = slots.filter((slot) => slot.name === "").length; spare < SPARE; spare += 1) {
        await open(crypto.randomUUID(), true);
      }
    } catch {
      // Without such a file system, or without space, tables are kept in memory.
    }
  }

  private slot(name: string): Slot | undefined {
    return this.slots.find((slot) => slot.name === name);
  }

  /** The size of a table in bytes. */
  kept(name: string): number | undefined {
    const slot = this.slot(name);
    return slot ? slot.handle.getSize() - PREFIX : this.passed.get(name)?.length;
  }

  /** Fills a buffer; returns whether the file had enough bytes. */
  read(name: string, buffer: Uint8Array, offset: number): boolean {
    const slot = this.slot(name);
    if (slot) return readAt(slot.handle, buffer, PREFIX + offset);
    const part = this.passed.get(name)?.subarray(offset, offset + buffer.length);
    if (part?.length !== buffer.length) return false;
    buffer.set(part);
    return true;
  }

  /** Keeps a table. Without room it goes to the page, which passes it to the next worker. */
  keep(name: string, header: Uint8Array, body: Uint8Array): boolean {
    const slot = this.slot(name) ?? this.slot("");
    if (slot) {
      try {
        slot.handle.truncate(0);
        slot.name = "";
        const write = (bytes: Uint8Array, at: number) => writeAt(slot.handle, bytes, at);
        write(header, PREFIX);
        write(body, PREFIX + header.length);
        slot.handle.flush();
        write(prefix(name), 0);
        slot.handle.flush();
        slot.name = name;
        return true;
      } catch {
        // There is not enough space after all.
        slot.handle.truncate(0);
      }
    }
    if (body.length > LARGEST) return false;
    const bytes = new Uint8Array(header.length + body.length);
    bytes.set(header);
    bytes.set(body, header.length);
    this.passed.set(name, bytes);
    this.share(name, bytes);
    return false;
  }

  remove(name: string) {
    this.passed.delete(name);
    const slot = this.slot(name);
    if (slot) {
      slot.handle.truncate(0);
      slot.name = "";
    }
  }
}

const isShared = (bytes: Uint8Array) => !(bytes.buffer instanceof ArrayBuffer);

/** Fills a buffer from a position on, by way of a copy where a browser cannot read into shared memory. */
function readAt(handle: FileSystemSyncAccessHandle, buffer: Uint8Array, at: number): boolean {
  if (!isShared(buffer)) return handle.read(buffer, { at }) === buffer.length;
  const piece = new Uint8Array(Math.min(PIECE, buffer.length));
  for (let done = 0; done < buffer.length; done += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, buffer.length - done));
    if (handle.read(part, { at: at + done }) !== part.length) return false;
    buffer.set(part, done);
  }
  return true;
}

/** Writes all bytes at a position, by way of a copy if they are in shared memory. */
function writeAt(handle: FileSystemSyncAccessHandle, bytes: Uint8Array, at: number) {
  const size = isShared(bytes) ? PIECE : Math.max(1, bytes.length);
  for (let done = 0; done < bytes.length; done += size) {
    const part = bytes.subarray(done, done + size);
    const written = handle.write(isShared(bytes) ? part.slice() : part, { at: at + done });
    if (written !== part.length) throw new Error("no room");
  }
}

function prefix(name: string): Uint8Array {
  const bytes = new Uint8Array(PREFIX);
  new TextEncoder().encodeInto(name, bytes);
  return bytes;
}

function nameOf(handle: FileSystemSyncAccessHandle): string {
  const bytes = new Uint8Array(PREFIX);
  if (handle.read(bytes, { at: 0 }) !== PREFIX) return "";
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.subarray(0, end < 0 ? PREFIX : end));
}
