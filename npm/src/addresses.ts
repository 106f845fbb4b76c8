// The addresses of the solvers' memory: 32 bits, or 64 where the engine has such a memory. The solvers are compiled for
// each. Those with 32 are faster, because engines check no bounds at each access, so they are used wherever they can be.

/** The bits of an address. */
export type Addresses = 32 | 64;

/** The limits of a memory, in pages of 64 KiB, and its kind. */
export interface MemoryType {
  initial: number;
  maximum: number;
  shared: boolean;
  addresses: Addresses;
}

/** A memory; an engine that cannot reserve the addresses throws an error. */
export function memory({ initial, maximum, shared, addresses }: MemoryType): WebAssembly.Memory {
  if (addresses === 32) return new WebAssembly.Memory({ initial, maximum, shared });
  const wide = { initial: BigInt(initial), maximum: BigInt(maximum), shared, address: "i64" };
  // TypeScript does not know it yet.
  return new WebAssembly.Memory(wide as unknown as WebAssembly.MemoryDescriptor);
}

/** A module with nothing but an empty memory with 64-bit addresses. */
const EMPTY = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 4, 0]);
/** The pages of 8 GiB, of which the smallest table that needs them takes most. */
const NEEDED = 2 ** 17;

let widest: Addresses | undefined;

/** The bits of the widest addresses that the engine has, for a memory of more than 4 GiB that threads share. */
export function addresses(): Addresses {
  widest ??= WebAssembly.validate(EMPTY) && isGranted() ? 64 : 32;
  return widest;
}

function isGranted(): boolean {
  try {
    memory({ initial: 0, maximum: NEEDED, shared: true, addresses: 64 });
    return true;
  } catch {
    return false;
  }
}
