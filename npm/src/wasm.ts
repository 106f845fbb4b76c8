// The WebAssembly module: its calls and the functions that it calls. The other side is
// crates/wasm/src/exports.rs.
import { type ImportedMemory, importedMemory, unshared } from "./binary.js";
import type { Answer, Event, Request } from "./protocol.js";
import type { Store } from "./store.js";

interface Exports {
  /** The module's own memory, if it imports none. */
  memory?: WebAssembly.Memory;
  start(): void;
  input(len: number): number;
  call(number: number): number;
  output(): number;
}

/** The additional exports of a module for threads; the linker adds those with underscores. */
interface ThreadExports extends Exports {
  pool(count: number): number;
  room(size: number): number;
  work(): void;
  __stack_pointer: WebAssembly.Global;
  __tls_size: WebAssembly.Global;
  __tls_align: WebAssembly.Global;
  __wasm_init_tls(address: number): void;
}

/** A module and its memory, on which each thread has an instance. */
export interface Shared {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}

/** The memory of an instance: the end of its stack, and the beginning of its thread-local storage. */
export interface Room {
  stack: number;
  local: number;
}

/** The bytes of the stack of each additional thread. */
const STACK = 1 << 20;

type Report = (call: number, event: Event) => void;

/** What the main thread does for solvers on several threads. */
export interface Crew {
  /** Starts the other threads. They may begin at any later time. */
  begin(shared: Shared, rooms: Room[]): void;
  /** Learns why there are none, though there could be. */
  alone(why: string): void;
}

/** The functions that the module calls. Only the thread with a store reads and keeps tables. */
function provided(memory: () => WebAssembly.Memory, report: Report, store?: Store) {
  const bytes = (at: number, len: number) => {
    [at, len] = [at >>> 0, len >>> 0];
    // If another thread has enlarged the memory, the buffer seen here may have the previous size.
    if (at + len > memory().buffer.byteLength) memory().grow(0);
    return new Uint8Array(memory().buffer, at, len);
  };
  const text = (at: number, len: number) => decode(bytes(at, len));
  const tables = () => {
    if (!store) throw new Error("this thread has no tables");
    return store;
  };
  return {
    host_report: (call: number, at: number, len: number) => report(call, JSON.parse(text(at, len)) as Event),
    // A clock common to all workers: each worker's own clock starts at its beginning.
    host_now: () => performance.timeOrigin + performance.now(),
    host_kept: (at: number, len: number) => tables().kept(text(at, len)) ?? -1,
    host_read: (at: number, len: number, buffer: number, size: number, offset: number) =>
      Number(tables().read(text(at, len), bytes(buffer, size), offset)),
    host_keep: (at: number, len: number, header: number, headerLen: number, body: number, bodyLen: number) =>
      Number(tables().keep(text(at, len), bytes(header, headerLen), bytes(body, bodyLen))),
    host_remove: (at: number, len: number) => tables().remove(text(at, len)),
  };
}

/** Copies the bytes first, because a decoder does not accept shared memory. */
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes.slice());

/** Answers requests with the solvers. */
export class Solvers {
  private constructor(
    private readonly exports: Exports,
    private readonly memory: WebAssembly.Memory,
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
    const host = provided(() => memory!, report, store);
    const instance = await WebAssembly.instantiate(module, memory ? { host, env: { memory } } : { host });
    const exports = instance.exports as unknown as Exports;
    memory ??= exports.memory!;
    exports.start();
    const shared = { module, memory };
    const begin = () => crew.begin(shared, rooms(exports as ThreadExports, count));
    return new Solvers(exports, memory, isShared ? begin : undefined);
  }

  answer(number: number, request: Request): Answer {
    const { exports, memory } = this;
    // Looking for tables needs no threads.
    if (request.do !== "cube.tables") {
      this.begin?.();
      this.begin = undefined;
    }
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const room = exports.input(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const len = exports.call(number) >>> 0;
    const answer = new Uint8Array(memory.buffer, exports.output() >>> 0, len);
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
function largest({ initial, maximum }: ImportedMemory, shared: boolean): WebAssembly.Memory {
  for (let most = maximum; ; most /= 2) {
    try {
      return new WebAssembly.Memory({ initial, maximum: most, shared });
    } catch (error) {
      if (most <= maximum / 8) throw error;
    }
  }
}

/** Memory for all threads but the first. */
function rooms(exports: ThreadExports, count: number): Room[] {
  const [size, align] = [exports.__tls_size.value as number, exports.__tls_align.value as number];
  return Array.from({ length: exports.pool(count) - 1 }, () => ({
    // A stack grows downwards, and begins at a multiple of 16.
    stack: ((exports.room(STACK) + STACK) & ~15) >>> 0,
    local: Math.ceil((exports.room(size + align) >>> 0) / align) * align,
  }));
}

/** Works as one of the other threads; returns only when no work is left. */
export function work({ module, memory }: Shared, { stack, local }: Room, report: Report) {
  const instance = new WebAssembly.Instance(module, { host: provided(() => memory, report), env: { memory } });
  const exports = instance.exports as unknown as ThreadExports;
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(local);
  exports.work();
}
