// Tables in directories, in the files of the native programs: `NAME.table`, of which each process may have a copy open.
import { closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Files, readWhole, writeWhole } from "./store.js";

export class DirectoryFiles implements Files {
  /** The open files, by the name of the table. */
  private readonly opened = new Map<string, number>();
  /** Tables of no use, until they are replaced. Their files stay: another version of a program may read them. */
  private readonly removed = new Set<string>();

  /** Tables are read from all directories, and written to the first that can be written. */
  constructor(private readonly directories: string[]) {}

  async open() {}

  private file(name: string): number | undefined {
    const known = this.opened.get(name);
    if (known !== undefined || this.removed.has(name)) return known;
    for (const directory of this.directories) {
      try {
        const file = openSync(join(directory, `${name}.table`), "r");
        this.opened.set(name, file);
        return file;
      } catch {
        // Perhaps another directory has it.
      }
    }
    return undefined;
  }

  size(name: string): number | undefined {
    const file = this.file(name);
    return file === undefined ? undefined : fstatSync(file).size;
  }

  read(name: string, buffer: Uint8Array, at: number): boolean {
    const file = this.file(name);
    if (file === undefined) return false;
    try {
      return readWhole((piece, from) => readSync(file, piece, 0, piece.length, from), buffer, at);
    } catch {
      return false;
    }
  }

  write(name: string, parts: Uint8Array[]): boolean {
    return this.directories.some((directory) => this.writeIn(directory, name, parts));
  }

  /** Writes a file beside the table, and renames it, so that no reader sees a part of it. */
  private writeIn(directory: string, name: string, parts: Uint8Array[]): boolean {
    const whole = join(directory, `${name}.table`);
    const part = `${whole}.${process.pid}.part`;
    try {
      mkdirSync(directory, { recursive: true });
      const file = openSync(part, "wx");
      try {
        const write = (piece: Uint8Array, at: number) => writeSync(file, piece, 0, piece.length, at);
        writeWhole(write, parts, 0);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(part, whole);
    } catch {
      if (existsSync(part)) rmSync(part);
      return false;
    }
    this.remove(name);
    this.removed.delete(name);
    return true;
  }

  remove(name: string) {
    const file = this.opened.get(name);
    if (file !== undefined) closeSync(file);
    this.opened.delete(name);
    this.removed.add(name);
  }
}
