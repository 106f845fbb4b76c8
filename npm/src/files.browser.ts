// Tables in the origin private file system. The module reads and writes synchronously, which a worker can do with
// files that are already open, so all tables are opened at the start, and a few spare files for new ones. A
// file is used by one worker at a time; one that another tab has open counts as missing, and is neither read
// nor replaced.
//
// A file begins with its name, padded to PREFIX bytes, which is written last, so a file that was not written to
// its end belongs to no table. The bytes after it are checked by the module, block by block.
import { type Files, readWhole, writeWhole } from "./store.js";

const PREFIX = 128;
const FOLDER = "tables";
const SPARE = 16;
const ATTEMPTS = 20;

interface Slot {
  file: string;
  handle: FileSystemSyncAccessHandle;
  /** The table; empty in a spare file. */
  name: string;
}

/** The files of this origin. If the browser stores no files, there are none. */
export class OriginFiles implements Files {
  private readonly slots: Slot[] = [];

  async open() {
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
      // All at once, so that files which another tab has open cost one wait.
      await Promise.all(names.map((file) => open(file, false).catch(() => undefined)));
      for (let spare = slots.filter((slot) => slot.name === "").length; spare < SPARE; spare += 1) {
        await open(crypto.randomUUID(), true);
      }
    } catch {
      // Without such a file system, or without space, there are no files.
    }
  }

  private slot(name: string): Slot | undefined {
    return this.slots.find((slot) => slot.name === name);
  }

  size(name: string): number | undefined {
    const slot = this.slot(name);
    return slot && slot.handle.getSize() - PREFIX;
  }

  read(name: string, buffer: Uint8Array, at: number): boolean {
    const handle = this.slot(name)?.handle;
    return handle !== undefined && readWhole((piece, from) => handle.read(piece, { at: from }), buffer, PREFIX + at);
  }

  write(name: string, parts: Uint8Array[]): boolean {
    const slot = this.slot(name) ?? this.slot("");
    if (!slot) return false;
    const write = (piece: Uint8Array, at: number) => slot.handle.write(piece, { at });
    try {
      slot.handle.truncate(0);
      slot.name = "";
      writeWhole(write, parts, PREFIX);
      slot.handle.flush();
      writeWhole(write, [prefix(name)], 0);
      slot.handle.flush();
      slot.name = name;
      return true;
    } catch {
      // There is not enough space after all.
      slot.handle.truncate(0);
      return false;
    }
  }

  remove(name: string) {
    const slot = this.slot(name);
    if (slot) {
      slot.handle.truncate(0);
      slot.name = "";
    }
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
