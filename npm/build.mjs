// Compiles the package into `dist`, with the compiler of the page. The solvers must be in `wasm` already:
// `cargo xtask web` compiles them, and runs this.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
if (!existsSync(join(folder, "wasm/optimal_puzzles_wasm.wasm"))) {
  console.error("npm/wasm has no solvers: run `cargo xtask web`");
  process.exit(1);
}
rmSync(join(folder, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [join(folder, "../web/node_modules/typescript/bin/tsc"), "-p", folder], { stdio: "inherit" });
for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(folder, "..", license), join(folder, license));
