// One of the additional threads: it works on the given memory until it is ended.
import { receive, tell } from "#inside";
import type { ToThread } from "./protocol.js";
import { work } from "./wasm.js";

receive(({ shared, room }: ToThread) => work(shared, room, (id, event) => tell({ kind: "event", id, event })));
