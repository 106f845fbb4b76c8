// One of the additional threads: it works on the given memory until it is ended.
import type { FromWorker, ToThread } from "../protocol";
import { work } from "./wasm";

onmessage = ({ data }: MessageEvent<ToThread>) => {
  const tell = (message: FromWorker) => postMessage(message);
  work(data.shared, data.room, (id, event) => tell({ kind: "event", id, event }));
};
