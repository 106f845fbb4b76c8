// The memory that a module imports, as its binary form declares it (WebAssembly specification, 5.4 and 5.5), and the
// same module for memory that is not shared.

import type { MemoryType } from "./addresses.js";

/** An imported memory. */
export interface ImportedMemory extends MemoryType {
  /** The place of the byte that says whether it is shared, among other things. */
  flags: number;
}

/** The flags of limits: whether there is a maximum, whether the memory is shared, and whether it has 64-bit addresses. */
const MAXIMUM = 1;
const SHARED = 2;
const WIDE = 4;
/** The section of imports, and the kinds of imports. */
const IMPORTS = 2;
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3];
/** The length of the magic number and the version. */
const PREAMBLE = 8;
/** The pages that 32-bit addresses can reach. */
const MOST = 65536;

/** Reads a module from a place on. */
class Reader {
  constructor(private readonly code: Uint8Array, public at: number) {}

  get isAtEnd(): boolean {
    return this.at >= this.code.length;
  }

  byte(): number {
    const byte = this.code[this.at];
    if (byte === undefined) throw new Error("the module ends too soon");
    this.at += 1;
    return byte;
  }

  /** An unsigned integer in LEB128: seven bits in each byte, the lowest first. */
  integer(): number {
    for (let [sum, unit] = [0, 1]; ; unit *= 128) {
      const byte = this.byte();
      sum += (byte & 127) * unit;
      if (byte < 128) return sum;
    }
  }

  skip(bytes: number) {
    this.at += bytes;
  }

  limits(): ImportedMemory {
    const at = this.at;
    const flags = this.byte();
    const initial = this.integer();
    const maximum = flags & MAXIMUM ? this.integer() : MOST;
    return { initial, maximum, shared: (flags & SHARED) !== 0, addresses: flags & WIDE ? 64 : 32, flags: at };
  }
}

/** The memory that a module imports; `undefined` for one with a memory of its own. */
export function importedMemory(code: Uint8Array): ImportedMemory | undefined {
  const sections = new Reader(code, PREAMBLE);
  while (!sections.isAtEnd) {
    const [section, length] = [sections.byte(), sections.integer()];
    if (section === IMPORTS) return memoryAmong(new Reader(code, sections.at));
    sections.skip(length);
  }
  return undefined;
}

/** The memory among the imports of a section. */
function memoryAmong(imports: Reader): ImportedMemory | undefined {
  for (let left = imports.integer(); left > 0; left -= 1) {
    // The names of the other module and of what it exports.
    for (let name = 0; name < 2; name += 1) imports.skip(imports.integer());
    const kind = imports.byte();
    if (kind === MEMORY) return imports.limits();
    if (kind === FUNCTION) imports.integer();
    else if (kind === GLOBAL) imports.skip(2);
    else if (kind === TABLE) {
      imports.skip(1);
      imports.limits();
    } else throw new Error(`an import of the unknown kind ${kind}`);
  }
  return undefined;
}

/**
 * The same module for memory that is not shared. It is valid, because atomic instructions are allowed on any memory.
 * Waiting for another thread fails on such a memory, but one thread waits for no other.
 */
export function unshared(code: Uint8Array, memory: ImportedMemory): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(code);
  copy[memory.flags]! &= ~SHARED;
  return copy;
}
