// The messages between the main thread, the worker and the WebAssembly module. The module's side is in
// crates/wasm: `answer.rs` has the requests, `host.rs` the events.
import type { Addresses } from "./addresses.js";
import type { Room, Shared } from "./wasm.js";

export interface Fault {
  message: string;
  /** Facelets of a cube, cells of a board. */
  at: number[];
}

export type Answer =
  | { ok: unknown }
  | { faults: Fault[] }
  | { error: string }
  /** The solvers with these addresses must be asked. */
  | { addresses: Addresses };

export type Event =
  | { event: "begin"; what: string; total: number }
  | { event: "bound"; bound: number; total: number }
  | { event: "update"; done: number }
  | { event: "nodes"; nodes: number; seconds: number }
  | { event: "note"; line: string }
  | { event: "end" }
  | { event: "better"; bound: number; solution: Solution }
  | { event: "checkpoint"; bound: number; state: string };

export interface Iteration {
  bound: number;
  complete: boolean;
  generated: number;
  seconds: number;
}

export interface Solution {
  length: number;
  moves: string;
  /** The first of the moves; empty if there are none. */
  next: string;
  /** The solution with its last moves on the inverse scramble, if requested. */
  shown?: string;
}

export interface Answered {
  ending: "optimal" | "bounded" | "cancelled" | "exhausted";
  length: number | null;
  solutions: Solution[];
  iterations: Iteration[];
  heuristic: string | null;
  tables: { name: string; checksum: string }[];
  /** The differences from the request. */
  remark: string | null;
  seconds: number;
}

/** A skeleton with insertions. */
export interface Inserted {
  /** The number of moves, with turns of one face joined. */
  length: number;
  /** These moves. */
  moves: string;
  /** The insertions in order, each into the moves of the skeleton and those before it, of which none are joined. */
  insertions: {
    /** The number of moves before it. */
    after: number;
    moves: string;
    /** The moves as a commutator or a conjugate of one, if they are one. */
    shown: string;
    /** The number of moves that are saved where turns of one face meet. */
    saved: number;
  }[];
  /** The number of pieces that are not solved. */
  corners: number;
  edges: number;
}

/** Insertions into a skeleton that leaves this number of pieces unsolved. */
export interface Insertions {
  corners: number;
  edges: number;
  /** Solutions by one or two insertions, the shortest first. */
  solved: Inserted[];
  /** Single insertions after which less is unsolved, but something. */
  steps: Inserted[];
}

export interface Explained {
  value: number;
  manhattan: number;
  distances: number[];
  reasons: { moves: number; why: string; tiles: number[] }[];
}

/** The positions at each depth, from 0 on. Numbers are texts, because some exceed those of JavaScript. */
export interface Counted {
  layers: string[];
  positions: string;
  complete: boolean;
  /** Shortest words to some of the deepest positions. */
  deepest: string[];
  remark: string | null;
  seconds: number;
}

/** A permutation puzzle with its chosen moves, and the faults of its state. */
export interface About {
  name: string;
  moves: string[];
  rotations: string[];
  orbits: { name: string; pieces: number; orientations: number }[];
  remarks: string[];
  faults: Fault[];
}

/** The order of a puzzle's group, and the number of its positions if the order decides it. */
export interface Order {
  order: string;
  factors: string;
  proved: boolean;
  /** The number of shapes of a puzzle with rules; the group is then that of the strings of moves that keep the solved shape. */
  shapes: number | null;
  positions: string | null;
}

/** The requests, each with the type of its answer. */
export interface Answers {
  "cube.read": { facelets: string; format: string; turns: string | null; joined: string | null };
  "cube.sides": { scramble: string; inverse: string };
  "cube.insert": Insertions;
  "cube.random": string;
  "cube.tables": { heuristic: string; bytes: number; addresses: Addresses; kept: boolean }[];
  "cube.solve": Answered;
  "tiles.read": { tiles: number[] };
  "tiles.random": { tiles: number[] };
  "tiles.explain": Explained;
  "tiles.solve": Answered;
  "towers.read": { presumed: number };
  "towers.random": string;
  "towers.solve": Answered;
  "towers.counts": { states: number[]; seconds: number };
  "puzzle.builtins": { name: string; example: string; about: string }[];
  "puzzle.read": About;
  "puzzle.patterns": string[];
  "puzzle.group": Order | null;
  "puzzle.random": { text: string; uniform: boolean };
  "puzzle.solve": Answered;
  "puzzle.count": Counted;
}

export type Request = { do: keyof Answers } & Record<string, unknown>;

export type ToWorker =
  /** The first message: the addresses, the number of threads, the directories of tables if they are stored, and those
   * tables that could not be. */
  | { kind: "begin"; addresses: Addresses; threads: number; stored: string[] | false; tables: [string, Uint8Array][] }
  | { kind: "request"; id: number; request: Request };

/** The message to one of the additional threads. */
export interface ToThread {
  shared: Shared;
  room: Room;
}

/** A running worker or thread, as the main thread sees it. */
export interface Port {
  post(message: ToWorker | ToThread): void;
  /** Keeps the process alive, or no longer; in Node.js alone. */
  hold(busy: boolean): void;
  /** Ends it at once; nothing is received from it afterwards. */
  end(): void;
}

/** Called when a worker has failed. */
export type Ended = (message: string) => void;

export type FromWorker =
  | { kind: "event"; id: number; event: Event }
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "failed"; id: number; message: string }
  /** Start the additional threads, which find their work in the shared memory. */
  | { kind: "threads"; shared: Shared; rooms: Room[] }
  /** There are no additional threads. */
  | { kind: "alone"; why: string }
  | { kind: "table"; name: string; bytes: Uint8Array };
