// Tests of what is read in a module's binary form, by modules that are written here byte by byte.
import assert from "node:assert/strict";
import { importedMemory, unshared } from "../dist/binary.js";

const PREAMBLE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A section; its length takes two bytes, though one would do. */
const section = (id, bytes) => [id, bytes.length | 0x80, 0, ...bytes];
const text = (name) => [name.length, ...new TextEncoder().encode(name)];
const imported = (name, kind, ...description) => [...text("env"), ...text(name), kind, ...description];
const module = (...sections) => new Uint8Array([PREAMBLE, ...sections].flat());

// A custom section and a type come first, then imports of all kinds before the memory.
const custom = section(0, [...text("note"), 2, 5, 3, 3, 1]);
const types = section(1, [1, 0x60, 0, 0]);
const others = [
  imported("f", 0, 0), imported("t", 1, 0x70, 1, 1, 0x80, 1), imported("u", 1, 0x70, 0, 0), imported("g", 3, 0x7f, 0),
];
const imports = (...memory) => section(2, [others.length + 1, ...others.flat(), ...imported("memory", 2, ...memory)]);
// From 256 pages to 65536, shared.
const threaded = module(custom, types, imports(3, 0x80, 2, 0x80, 0x80, 4));

const tests = {
  "an imported memory has its limits"() {
    const flags = threaded.length - 6;
    assert.deepEqual(importedMemory(threaded), { initial: 256, maximum: 65536, shared: true, addresses: 32, flags });
    assert.deepEqual(importedMemory(module(types, imports(0, 7))).maximum, 65536);
    assert.equal(importedMemory(module(types, imports(1, 7, 9))).shared, false);
  },

  "a memory with 64-bit addresses may have more pages"() {
    // To 2^18 pages, 16 GiB; the size takes three bytes.
    const memory = importedMemory(module(custom, types, imports(7, 0x80, 2, 0x80, 0x80, 0x10)));
    assert.deepEqual([memory.initial, memory.maximum, memory.shared, memory.addresses], [256, 2 ** 18, true, 64]);
    const wide = module(types, imports(7, 0x80, 2, 0x80, 0x80, 0x10));
    const alone = unshared(wide, importedMemory(wide));
    assert.deepEqual(importedMemory(alone), { ...importedMemory(wide), shared: false });
    const largest = importedMemory(module(types, imports(5, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2)));
    assert.equal(largest.maximum, 2 ** 43);
  },

  "a module without imports, or without memory among them, has none"() {
    assert.equal(importedMemory(module()), undefined);
    assert.equal(importedMemory(module(section(5, [1, 0, 1]))), undefined);
    assert.equal(importedMemory(module(types, section(2, [1, ...others[0]]))), undefined);
  },

  "a module that ends too soon or has unknown imports is refused"() {
    for (let length = threaded.length - 1; length > PREAMBLE.length + custom.length + types.length + 2; length -= 1) {
      assert.throws(() => importedMemory(threaded.subarray(0, length)), /ends too soon/, `${length}`);
    }
    assert.throws(() => importedMemory(module(section(2, [1, ...imported("x", 9, 0)]))), /unknown kind 9/);
  },

  "a module for shared memory also takes one that is not"() {
    const alone = unshared(threaded, importedMemory(threaded));
    assert.deepEqual(importedMemory(alone), { ...importedMemory(threaded), shared: false });
    for (const [code, shared] of [[threaded, true], [alone, false]]) {
      const compiled = new WebAssembly.Module(code);
      const env = (isShared) => ({
        f() {}, g: 1, t: new WebAssembly.Table({ element: "anyfunc", initial: 1, maximum: 128 }),
        u: new WebAssembly.Table({ element: "anyfunc", initial: 0 }),
        memory: new WebAssembly.Memory({ initial: 256, maximum: 65536, shared: isShared }),
      });
      new WebAssembly.Instance(compiled, { env: env(shared) });
      assert.throws(() => new WebAssembly.Instance(compiled, { env: env(!shared) }), WebAssembly.LinkError);
    }
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok   ${name}`);
}
