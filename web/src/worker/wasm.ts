// The WebAssembly module: its calls and the functions that it calls. The other side is
// crates/wasm/src/exports.rs.
import type { Answer, Event, Request } from "../protocol";
import type { Store } from "./store";

interface Exports {
  memory: WebAssembly.Memory;
  start(): void;
  input(len: number): number;
  call(): number;
  output(): number;
}

/** Answers requests with the solvers. */
export class Solvers {
  private constructor(private readonly exports: Exports) {}

  /** Loads the module; reports go to `report`, tables to `store`. */
  static async load(address: URL, store: Store, report: (event: Event) => void): Promise<Solvers> {
    let memory: WebAssembly.Memory | undefined;
    const bytes = (at: number, len: number) => new Uint8Array(memory!.buffer, at >>> 0, len >>> 0);
    const text = (at: number, len: number) => new TextDecoder().decode(bytes(at, len));
    const host = {
      host_report: (at: number, len: number) => report(JSON.parse(text(at, len)) as Event),
      host_now: () => performance.now(),
      host_kept: (at: number, len: number) => store.kept(text(at, len)) ?? -1,
      host_read: (at: number, len: number, buffer: number, size: number, offset: number) =>
        Number(store.read(text(at, len), bytes(buffer, size), offset)),
      host_keep: (at: number, len: number, header: number, headerLen: number, body: number, bodyLen: number) =>
        Number(store.keep(text(at, len), bytes(header, headerLen), bytes(body, bodyLen))),
      host_remove: (at: number, len: number) => store.remove(text(at, len)),
    };
    const response = await fetch(address);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), { host });
    const exports = instance.exports as unknown as Exports;
    memory = exports.memory;
    exports.start();
    return new Solvers(exports);
  }

  answer(request: Request): Answer {
    const { exports } = this;
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const room = exports.input(bytes.length) >>> 0;
    new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
    const len = exports.call() >>> 0;
    const answer = new Uint8Array(exports.memory.buffer, exports.output() >>> 0, len);
    return JSON.parse(new TextDecoder().decode(answer)) as Answer;
  }
}
