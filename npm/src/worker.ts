// The worker answers requests one after the other, and is stopped by ending it. With threads, it is the first of them.
import { bytes, files, receive, tell } from "#inside";
import type { Addresses } from "./addresses.js";
import type { ToWorker } from "./protocol.js";
import { Store } from "./store.js";
import { Solvers } from "./wasm.js";

let store: Store;
let loading: Promise<Solvers> | undefined;

/** The module. A bundler recognizes the two expressions, and adds the files. */
const module = (addresses: Addresses) => addresses === 32
  ? bytes(new URL("../wasm/optimal_puzzles_wasm.wasm", import.meta.url))
  : bytes(new URL("../wasm/optimal_puzzles_wasm64.wasm", import.meta.url));

async function load(addresses: Addresses, threads: number): Promise<Solvers> {
  const code = await module(addresses);
  return Solvers.load(code, threads, store, (id, event) => tell({ kind: "event", id, event }), {
    begin: (shared, rooms) => tell({ kind: "threads", shared, rooms }),
    alone: (why) => tell({ kind: "alone", why }),
  });
}

receive(async (message: ToWorker) => {
  if (message.kind === "begin") {
    const share = (name: string, table: Uint8Array) => tell({ kind: "table", name, bytes: table });
    store = new Store(new Map(message.tables), share, message.stored ? files(message.stored) : undefined);
    loading = load(message.addresses, message.threads);
    return;
  }
  try {
    const solvers = await loading!;
    if (/\.(solve|tables)$/.test(message.request.do)) await store.open();
    tell({ kind: "answer", id: message.id, answer: solvers.answer(message.id, message.request) });
  } catch (error) {
    tell({ kind: "failed", id: message.id, message: String(error) });
  }
});
