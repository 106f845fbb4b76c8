// The compiled solvers: always for one thread; for several if they were built, and if the browser lets this page
// share memory between threads.

const built = import.meta.glob<string>("../generated/*.wasm", { query: "?url", import: "default", eager: true });

export const MODULE = built["../generated/optimal_puzzles_wasm.wasm"]!;
/** Exists only if a nightly compiler was available when the page was built. */
export const THREADS_MODULE: string | undefined = built["../generated/optimal_puzzles_wasm_threads.wasm"];

/** The number of threads of a search, and the reason if it is one. */
export interface Threading {
  count: number;
  why: string;
}

export function threading(): Threading {
  const alone = (why: string) => ({ count: 1, why });
  if (!THREADS_MODULE) return alone("this page was built without threads");
  if (!crossOriginIsolated) {
    // The service worker isolates the page when it is loaded the next time (main.ts).
    const again = "serviceWorker" in navigator && sessionStorage.getItem("loaded") === null;
    return alone(again ? "reload the page to use all cores" : "the server does not send the headers that threads need");
  }
  const count = navigator.hardwareConcurrency || 1;
  return count > 1 ? { count, why: "" } : alone("this device has one core");
}
