// Settings of the bundler; `npm run dev` forwards API requests to a site on port 8000.
import { defineConfig } from "vite";

const site = "http://127.0.0.1:8000";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { "/api": site, "/ws": { target: site, ws: true } } },
});
