// The compiled solvers in Node.js, for one thread: the host of crates/wasm/src/exports.rs with tables in memory.
import { readFile } from "node:fs/promises";

/** A function from a request to its answer; a refusal is an error. */
export async function solvers(path) {
  let exports;
  const bytes = (at, len) => new Uint8Array(exports.memory.buffer, at >>> 0, len >>> 0);
  const text = (at, len) => new TextDecoder().decode(bytes(at, len));
  const host = {
    host_report: (_, at, len) => {
      const event = JSON.parse(text(at, len));
      if (event.event === "note" && event.line.startsWith("panic")) throw new Error(event.line);
    },
    host_now: () => performance.now(),
    host_kept: () => -1,
    host_read: () => 0,
    host_keep: () => 0,
    host_remove: () => undefined,
  };
  ({ exports } = (await WebAssembly.instantiate(await readFile(path), { host })).instance);
  exports.start();
  return (request) => {
    const given = new TextEncoder().encode(JSON.stringify(request));
    bytes(exports.input(given.length), given.length).set(given);
    const length = exports.call(1);
    const answer = JSON.parse(text(exports.output(), length));
    if ("ok" in answer) return answer.ok;
    throw new Error((answer.faults ?? [{ message: answer.error }]).map(({ message }) => message).join("; "));
  };
}
