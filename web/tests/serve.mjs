// Serves the built page as a plain host does, without the headers of isolation unless they are wanted; and finds
// Chromium.
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json" };

const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
};

/** `isolated`: with the headers of isolation. `inWorkers`: a script that the workers run first. */
export async function serve(folder, { isolated = false, inWorkers = "", port = 0 } = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    try {
      const body = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      const type = TYPES[extname(path) || ".html"] ?? "application/octet-stream";
      // As many hosts do: a cache must not take the header for a difference between the page's own requests.
      response.writeHead(200, { "Content-Type": type, Vary: "Origin", ...(isolated ? ISOLATION : {}) });
      if (/\/worker-[^/]*\.js$/.test(path)) response.write(inWorkers);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, "localhost", resolve));
  return { address: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

/** Chromium, from $CHROMIUM or the PATH; nothing if there is none. */
export function browserPath() {
  const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
  const paths = (process.env.PATH ?? "").split(":").flatMap((path) => names.map((name) => join(path, name)));
  return [process.env.CHROMIUM, ...paths].find((path) => path && existsSync(path));
}
