// The worker answers requests one after the other, and is stopped by ending it. With threads, it is the first of them.
import { MODULE, THREADS_MODULE } from "../modules";
import type { FromWorker, ToWorker } from "../protocol";
import { Store } from "./store";
import { Solvers } from "./wasm";

const tell = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer });
const passed = new Map<string, Uint8Array>();
const store = new Store(passed, (name, bytes) => tell({ kind: "table", name, bytes }));
let loading: Promise<Solvers> | undefined;

/** The solvers on the given number of threads; on one if the browser refuses shared memory. */
async function load(threads: number): Promise<Solvers> {
  const report = (id: number, event: Parameters<Parameters<typeof Solvers.load>[2]>[1]) => tell({ kind: "event", id, event });
  const address = (name: string) => new URL(name, self.location.href).href;
  if (threads > 1 && THREADS_MODULE) {
    try {
      return await Solvers.share(address(THREADS_MODULE), threads, store, report, (shared, rooms) => {
        tell({ kind: "threads", shared, rooms });
      });
    } catch (error) {
      tell({ kind: "alone", why: String(error) });
    }
  }
  return Solvers.load(address(MODULE), store, report);
}

onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "begin") {
    for (const [name, bytes] of data.tables) passed.set(name, bytes);
    loading = load(data.threads);
    return;
  }
  try {
    const solvers = await loading!;
    // The worker for quick answers leaves the files to the solving worker.
    if (/\.(solve|tables)$/.test(data.request.do)) await store.open();
    tell({ kind: "answer", id: data.id, answer: solvers.answer(data.id, data.request) });
  } catch (error) {
    tell({ kind: "failed", id: data.id, message: String(error) });
  }
};
