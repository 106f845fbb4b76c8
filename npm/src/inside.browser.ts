// A worker of a browser, as seen from inside.
import { OriginFiles } from "./files.browser.js";
import type { FromWorker } from "./protocol.js";
import type { Files } from "./store.js";

export const receive = <T>(handle: (message: T) => void) => {
  onmessage = ({ data }: MessageEvent<T>) => handle(data);
};

export const tell = (message: FromWorker) => postMessage(message);

/** The bytes of a file of the package. */
export async function bytes(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The files of tables; a browser has one place for them. */
export const files = (_directories: string[]): Files => new OriginFiles();
