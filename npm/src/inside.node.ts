// A worker of Node.js, as seen from inside.
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { DirectoryFiles } from "./files.node.js";
import type { FromWorker } from "./protocol.js";
import type { Files } from "./store.js";

export const receive = <T>(handle: (message: T) => void) => void parentPort!.on("message", handle);

export const tell = (message: FromWorker) => parentPort!.postMessage(message);

/** The bytes of a file of the package. */
export const bytes = (address: URL): Promise<Uint8Array<ArrayBuffer>> => readFile(address);

/** The files of tables in these directories. */
export const files = (directories: string[]): Files => new DirectoryFiles(directories);
