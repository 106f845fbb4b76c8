// Keeps the page for use without a network, and sets the headers that isolate it from other origins, for hosts
// that cannot. The build replaces the three texts below: the files of the page, those of them that are kept only once
// they are used, and a hash of the contents of all.
const files = "FILES";
const later = "LATER";
const version = "VERSION";

self.addEventListener("install", (event) => {
  const add = async () => {
    const cache = await caches.open(version);
    await cache.addAll(["./", ...files].map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  };
  event.waitUntil(add());
});

self.addEventListener("activate", (event) => {
  const others = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== version).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(others());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const answer = async () => {
    const cache = await caches.open(version);
    const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    const response = kept ?? (await fetch(request));
    if (response.status === 0 || response.redirected) return response;
    const isLater = later.some((file) => request.url === new URL(file, self.registration.scope).href);
    if (!kept && isLater && response.ok) event.waitUntil(cache.put(request, response.clone()));
    const headers = new Headers(response.headers);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  };
  event.respondWith(answer());
});
