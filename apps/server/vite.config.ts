import { defineConfig } from 'vite'

/**
 * Bundles some 1,500 modules of the server into a few files, because Node spends most of the start
 * on resolving each of them. The sources also run unbundled (`npm run dev`, the tests and the
 * command lines); a module that needs a file beside it locates it with src/lib/locate.ts.
 */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist/server',
    target: 'es2025',
    // Stack traces keep the names of functions.
    minify: false,
  },
  ssr: {
    noExternal: true,
    // Packages with files beside their code: native modules, WebAssembly, pages.
    external: ['@fastify/swagger-ui', '@node-rs/argon2', 'pino', 'sharp'],
  },
})
