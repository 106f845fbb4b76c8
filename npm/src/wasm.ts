// The WebAssembly module: its calls and the functions that it calls. The other side is
// crates/wasm/src/exports.rs.
import { type Addresses, memory as memoryOf } from "./addresses.js";
import { type ImportedMemory, importedMemory, unshared } from "./binary.js";
import type { Answer, Event, Request } from "./protocol.js";
import type { Store } from "./store.js";

/**
 * An address or a number of bytes. A module with 64-bit addresses has bigints for them; `plain` and `passed` translate,
 * here and nowhere else. A memory has fewer than 2^53 bytes.
 */
type Size = number | bigint;

/** A size from the module. A number of 32 bits comes with a sign. */
const plain = (size: Size) => (typeof size === "bigint" ? Number(size) : size >>> 0);
/** A size for the module. */
const passed = (size: number, addresses: Addresses): Size => (addresses === 64 ? BigInt(size) : size);

interface Exports {
  /** The module's own memory, if it imports none. */
  memory?: WebAssembly.Memory;
  start(): void;
  input(len: Size): Size;
  call(number: number): Size;
  output(): Size;
}

/** The additional exports of a module for threads; the linker adds those with underscores. */
interface ThreadExports extends Exports {
  pool(count: Size): Size;
  room(size: Size): Size;
  work(): void;
  __stack_pointer: WebAssembly.Global;
  __tls_size: WebAssembly.Global;
  __tls_align: WebAssembly.Global;
  __wasm_init_tls(address: Size): void;
}

/** A module and its memory, on which each thread has an instance. */
export interface Shared {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  addresses: Addresses;
}

/** The memory of an instance: the end of its stack, and the beginning of its thread-local storage. */
export interface Room {
  stack: number;
  local: number;
}

/** The bytes of the stack of each additional thread. */
const STACK = 1 << 20;
/** The maximum number of bytes that are viewed at a time. Engines and files have limits from 2 GiB on. */
const VIEW = 2 ** 30;

type Report = (call: number, event: Event) => void;

/** What the main thread does for solvers on several threads. */
export interface Crew {
  /** Starts the other threads. They may begin at any later time. */
  begin(shared: Shared, rooms: Room[]): void;
  /** Learns why there are none, though there could be. */
  alone(why: string): void;
}

/** The functions that the module calls. Only the thread with a store reads and keeps tables. */
function provided(memory: () => WebAssembly.Memory, addresses: Addresses, report: Report, store?: Store) {
  const view = (at: number, len: number) => {
    // If another thread has enlarged the memory, the buffer seen here may have the previous size.
    if (at + len > memory().buffer.byteLength) memory().grow(passed(0, addresses) as number);
    return new Uint8Array(memory().buffer, at, len);
  };
  const bytes = (at: Size, len: Size) => view(plain(at), plain(len));
  const pieces = (at: Size, len: Size) => {
    const [begin, whole] = [plain(at), plain(len)];
    return Array.from({ length: Math.ceil(whole / VIEW) }, (_, piece) =>
      view(begin + piece * VIEW, Math.min(VIEW, whole - piece * VIEW)));
  };
  const text = (at: Size, len: Size) => decode(bytes(at, len));
  const tables = () => {
    if (!store) throw new Error("this thread has no tables");
    return store;
  };
  return {
    host_report: (call: number, at: Size, len: Size) => report(call, JSON.parse(text(at, len)) as Event),
    // A clock common to all workers: each worker's own clock starts at its beginning.
    host_now: () => performance.timeOrigin + performance.now(),
    host_kept: (at: Size, len: Size) => tables().kept(text(at, len)) ?? -1,
    host_read: (at: Size, len: Size, buffer: Size, size: Size, offset: number) =>
      Number(tables().read(text(at, len), bytes(buffer, size), offset)),
    host_keep: (at: Size, len: Size, header: Size, headerLen: Size, body: Size, bodyLen: Size) =>
      Number(tables().keep(text(at, len), [bytes(header, headerLen), ...pieces(body, bodyLen)])),
    host_remove: (at: Size, len: Size) => tables().remove(text(at, len)),
  };
}

/** Copies the bytes first, because a decoder does not accept shared memory. */
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes.slice());

/** Answers requests with the solvers. */
export class Solvers {
  private constructor(
    private readonly exports: Exports,
    private readonly memory: WebAssembly.Memory,
    private readonly addresses: Addresses,
    private begin?: () => void,
  ) {}

  /**
   * Loads the module for `count` threads; reports go to `report`, tables to `store`. Without threads in the module, or
   * if shared memory is refused, there is one. Before the first work, `crew` is asked to start the others.
   */
  static async load(code: Uint8Array<ArrayBuffer>, count: number, store: Store, report: Report, crew: Crew): Promise<Solvers> {
    const imported = importedMemory(code);
    let memory = imported && created(imported, count, crew);
    if (!imported) crew.alone("the solvers were built without threads");
    const isShared = memory !== undefined && !(memory.buffer instanceof ArrayBuffer);
    const module = await WebAssembly.compile(imported && !isShared ? unshared(code, imported) : code);
    const addresses = imported?.addresses ?? 32;
    const host = provided(() => memory!, addresses, report, store);
    const instance = await WebAssembly.instantiate(module, memory ? { host, env: { memory } } : { host });
    const exports = instance.exports as unknown as Exports;
    memory ??= exports.memory!;
    exports.start();
    const shared = { module, memory, addresses };
    const begin = () => crew.begin(shared, rooms(exports as ThreadExports, count, addresses));
    return new Solvers(exports, memory, addresses, isShared ? begin : undefined);
  }

  answer(number: number, request: Request): Answer {
    const { exports, memory, addresses } = this;
    // Looking for tables needs no threads.
    if (request.do !== "cube.tables") {
      this.begin?.();
      this.begin = undefined;
    }
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const room = plain(exports.input(passed(bytes.length, addresses)));
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const len = plain(exports.call(number));
    const answer = new Uint8Array(memory.buffer, plain(exports.output()), len);
    return JSON.parse(decode(answer)) as Answer;
  }
}

/** The memory for a number of threads: shared if there are several, unless that is refused. */
function created(imported: ImportedMemory, count: number, crew: Crew): WebAssembly.Memory {
  if (count > 1) {
    try {
      return largest(imported, true);
    } catch (error) {
      crew.alone(String(error));
    }
  }
  return largest(imported, false);
}

/** Memory with the greatest maximum size that this browser allows. */
function largest(imported: ImportedMemory, shared: boolean): WebAssembly.Memory {
  const { maximum } = imported;
  for (let most = maximum; ; most /= 2) {
    try {
      return memoryOf({ ...imported, maximum: most, shared });
    } catch (error) {
      if (most <= maximum / 8) throw error;
    }
  }
}

/** Memory for all threads but the first. */
function rooms(exports: ThreadExports, count: number, addresses: Addresses): Room[] {
  const [size, align] = [plain(exports.__tls_size.value as Size), plain(exports.__tls_align.value as Size)];
  const room = (bytes: number) => plain(exports.room(passed(bytes, addresses)));
  return Array.from({ length: plain(exports.pool(passed(count, addresses))) - 1 }, () => ({
    // A stack grows downwards, and begins at a multiple of 16.
    stack: Math.floor((room(STACK) + STACK) / 16) * 16,
    local: Math.ceil(room(size + align) / align) * align,
  }));
}

/** Works as one of the other threads; returns only when no work is left. */
export function work({ module, memory, addresses }: Shared, { stack, local }: Room, report: Report) {
  const host = provided(() => memory, addresses, report);
  const instance = new WebAssembly.Instance(module, { host, env: { memory } });
  const exports = instance.exports as unknown as ThreadExports;
  exports.__stack_pointer.value = passed(stack, addresses);
  exports.__wasm_init_tls(passed(local, addresses));
  exports.work();
}
