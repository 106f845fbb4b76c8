// Starting workers in a browser.
import type { Ended, FromWorker, Port, ToThread, ToWorker } from "./protocol.js";

/** Starts a worker. A bundler recognizes the two expressions, and adds the files. */
export function spawn(kind: "worker" | "thread", receive: (message: FromWorker) => void, fail: Ended): Port {
  const worker = kind === "worker"
    ? new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
    : new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
  worker.onerror = (event) => fail(event.message || "the worker cannot be started");
  return {
    post: (message: ToWorker | ToThread) => worker.postMessage(message),
    hold: () => undefined,
    end() {
      // Its earlier messages are ignored.
      worker.onmessage = null;
      worker.terminate();
    },
  };
}

/** The number of cores, or the reason why threads cannot share memory. */
export function cores(): number | string {
  if (!crossOriginIsolated) {
    // The service worker of the page isolates it when it is loaded the next time.
    const again = "serviceWorker" in navigator && sessionStorage.getItem("loaded") === null;
    return again ? "reload the page to use all cores" : "the server does not send the headers that threads need";
  }
  return navigator.hardwareConcurrency || 1;
}

/** Tables are kept in the origin private file system. */
export function directories(named: string | string[] | undefined): string[] {
  if (named !== undefined) throw new TypeError("a browser keeps tables in its own file system: leave out `tables`, or set it to false");
  return [];
}
