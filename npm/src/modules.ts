// The compiled solvers: always for one thread; for several if they were built, and if threads can share memory.
import { THREADS_MODULE } from "./built.js";
import { cores } from "#spawn";

/** Whether there are solvers for several threads: only if a nightly compiler was available when they were built. */
export const THREADED = THREADS_MODULE !== undefined;

/** The number of threads of a search, and the reason if it is one. */
export interface Threading {
  count: number;
  why: string;
}

/** The threads that a search has if it is given as many as there are cores. */
export function threading(): Threading {
  if (!THREADED) return { count: 1, why: "the solvers were built without threads" };
  const found = cores();
  if (typeof found === "string") return { count: 1, why: found };
  return found > 1 ? { count: found, why: "" } : { count: 1, why: "this device has one core" };
}
