import { defineConfig } from 'vite'

/**
 * The server as a few files instead of some 1,500: Node spends most of a start on looking each of them up. The sources run as they
 * are as well (`npm run dev`, the tests and the command lines); a module that needs a file beside it finds it by src/lib/locate.ts.
 */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist/server',
    target: 'es2025',
    // Stack traces name functions as they are written.
    minify: false,
  },
  ssr: {
    noExternal: true,
    // What brings files of its own beside its code: native parts, WebAssembly, pages.
    external: ['@fastify/swagger-ui', '@node-rs/argon2', 'pino', 'sharp'],
  },
})
