// Starting workers in Node.js.
import { availableParallelism, homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Ended, FromWorker, Port, ToThread, ToWorker } from "./protocol.js";

/** Starts a worker. It keeps the process alive only while it is held. */
export function spawn(kind: "worker" | "thread", receive: (message: FromWorker) => void, fail: Ended): Port {
  const worker = new Worker(new URL(`./${kind}.js`, import.meta.url));
  worker.on("message", receive);
  worker.on("error", (error) => fail(String(error)));
  worker.unref();
  return {
    post: (message: ToWorker | ToThread) => worker.postMessage(message),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    end() {
      worker.removeAllListeners();
      // A last error of a thread that is ended at work is no error of the search.
      worker.on("error", () => undefined);
      void worker.terminate();
    },
  };
}

/** The number of cores: threads of Node.js can always share memory. */
export const cores = (): number | string => availableParallelism();

/** The directories of tables: those named, or those of the programs `cube-opt` and `tile24`. */
export function directories(named: string | string[] | undefined): string[] {
  const list = typeof named === "string" ? [named] : named ?? (process.env.OPTIMAL_PUZZLES_TABLES ?? "").split(delimiter);
  const given = list.filter((path) => path !== "");
  if (given.length > 0) return given;
  const absolute = (path: string | undefined) => (path && isAbsolute(path) ? path : undefined);
  const base = absolute(process.env.XDG_CACHE_HOME) ?? (absolute(process.env.HOME) ? join(homedir(), ".cache") : absolute(process.env.LOCALAPPDATA));
  return base ? [join(base, "optimal-puzzles")] : [];
}
