// Builds the page into target/web: everything that it needs is in that folder, under relative addresses, so
// it works at any place of any host, and from a cache.
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const out = join(import.meta.dirname, "../target/web");

/** Headers that isolate the page from other origins, so that a browser may share memory between threads. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Adds the report, and tells the service worker which files there are. */
function complete(): Plugin {
  return {
    name: "complete",
    apply: "build",
    closeBundle() {
      cpSync(join(import.meta.dirname, "../docs/repro"), join(out, "report"), { recursive: true });
      const files = (readdirSync(out, { recursive: true }) as string[])
        .map((file) => file.replaceAll("\\", "/"))
        .filter((file) => /\.(html|js|css|wasm|svg|webmanifest)$/.test(file) && file !== "sw.js")
        .sort();
      // The solvers with 64-bit addresses, which few searches need.
      const isLater = (file: string) => /wasm64[^/]*\.wasm$/.test(file);
      const hash = createHash("sha256");
      for (const file of files) hash.update(file).update(readFileSync(join(out, file)));
      const worker = join(out, "sw.js");
      const text = readFileSync(worker, "utf8")
        .replace('"FILES"', JSON.stringify(files.filter((file) => !isLater(file))))
        .replace('"LATER"', JSON.stringify(files.filter(isLater)))
        .replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16)));
      writeFileSync(worker, text);
    },
  };
}

export default defineConfig({
  base: "./",
  build: { outDir: out, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  resolve: { alias: { "optimal-puzzles": join(import.meta.dirname, "../npm/dist/index.js") } },
  worker: { format: "es" },
  server: { headers },
  preview: { headers },
  plugins: [complete()],
});
