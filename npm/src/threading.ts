// The number of threads of a search.
import { cores } from "#spawn";

/** The number of threads of a search, and the reason if it is one. */
export interface Threading {
  count: number;
  why: string;
}

/** The threads that a search has if it is given as many as there are cores, and if the solvers were built for threads. */
export function threading(): Threading {
  const found = cores();
  if (typeof found === "string") return { count: 1, why: found };
  return found > 1 ? { count: found, why: "" } : { count: 1, why: "this device has one core" };
}
