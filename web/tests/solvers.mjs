// The compiled solvers in Node.js, on one thread and without the page, with tables in memory.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Store } from "../../npm/dist/store.js";
import { Solvers } from "../../npm/dist/wasm.js";

/** The file of the module. */
export const MODULE = join(import.meta.dirname, "../../npm/wasm/optimal_puzzles_wasm.wasm");

/** The one with 64-bit addresses, which only a nightly compiler builds. */
export const WIDE = join(import.meta.dirname, "../../npm/wasm/optimal_puzzles_wasm64.wasm");

/** A function from a request to its answer; a refusal is an error. */
export async function solvers(path = MODULE) {
  const nothing = () => undefined;
  const report = (_, event) => {
    if (event.event === "note" && event.line.startsWith("panic")) throw new Error(event.line);
  };
  const store = new Store(new Map(), nothing);
  const loaded = await Solvers.load(await readFile(path), 1, store, report, { begin: nothing, alone: nothing });
  return (request) => {
    const answer = loaded.answer(1, request);
    if ("ok" in answer) return answer.ok;
    throw new Error((answer.faults ?? [{ message: answer.error }]).map(({ message }) => message).join("; "));
  };
}
