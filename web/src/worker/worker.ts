// The worker: answers one request after the other. It is stopped by ending it.
import moduleAddress from "../../generated/optimal_puzzles_wasm.wasm?url";
import type { FromWorker, ToWorker } from "../protocol";
import { Store } from "./store";
import { Solvers } from "./wasm";

let current = 0;
const tell = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer });
const passed = new Map<string, Uint8Array>();

const store = new Store(passed, (name, bytes) => tell({ kind: "table", name, bytes }));
const address = new URL(moduleAddress, self.location.href);
const loading = Solvers.load(address, store, (event) => tell({ kind: "event", id: current, event }));

onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "tables") {
    for (const [name, bytes] of data.tables) passed.set(name, bytes);
    return;
  }
  try {
    const solvers = await loading;
    // The worker for quick answers leaves the files to the one that solves.
    if (/\.(solve|tables)$/.test(data.request.do)) await store.open();
    current = data.id;
    tell({ kind: "answer", id: data.id, answer: solvers.answer(data.request) });
  } catch (error) {
    tell({ kind: "failed", id: data.id, message: String(error) });
  }
};
