// Settings of the bundler; `npm run dev` forwards API requests to a site on port 8000.
import { defaultClientConditions, defineConfig } from "vite";

const site = "http://127.0.0.1:8000";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // the engine's runtime is a file of its own, loaded when it is first needed
  resolve: { conditions: ["onnxruntime-web-use-extern-wasm", ...defaultClientConditions] },
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { "/api": site, "/ws": { target: site, ws: true } } },
});
