import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null
}

/** A module and all that it imports, found once when the bundler has read them. */
function importsOf(entry: string): (id: string, modules: Modules) => boolean {
  let known: Set<string> | null = null
  const collect = (modules: Modules): Set<string> => {
    const found = new Set([resolve(import.meta.dirname, entry)])
    // A set hands out what is added to it while it is walked.
    for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
    return found
  }
  return (id, modules) => (known ??= collect(modules)).has(id)
}
const isOfThreadPage = importsOf('src/pages/thread/thread-page.tsx')

/** The stylesheet holds up the first paint and the scripts do not: it stands before them, so that the browser asks for it first. */
const styleFirst = (): Plugin => ({
  name: 'style-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const link = /\n\s*(<link rel="stylesheet"[^>]*>)/
      const [line, style] = link.exec(html) ?? []
      if (line === undefined) throw new Error('index.html has no stylesheet')
      return html.replace(line, '').replace('<!--styles-->', `${style}<!--styles-->`)
    },
  },
})

/** Two builds from one config: the browser's (dist/client) and, with `--ssr src/entry-server.tsx`, the server's (dist/server). */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), styleFirst()],
  define: isSsrBuild === true ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    outDir: isSsrBuild === true ? 'dist/server' : 'dist/client',
    target: 'es2022',
    modulePreload: {
      // Every browser that runs the rest of it knows modulepreload.
      polyfill: false,
      // Every page has these already: the lists of what a further page needs, which the first one carries, are shorter without them.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !/\/(vendor|rolldown-runtime|first)-/.test(file)) : files,
    },
    manifest: isSsrBuild !== true,
    ssrManifest: isSsrBuild !== true,
    copyPublicDir: isSsrBuild !== true,
    // Nothing inlined: the content security policy has no data: for scripts and fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // A slow machine is nothing to warn of.
      checks: { pluginTimings: false },
      output:
        isSsrBuild === true
          ? {}
          : {
              /*
               * Left to itself the bundler makes a chunk, with its script and its stylesheet, for every set of pages that share a
               * module: on / those were ten files of a few hundred bytes each, which list each other's names and are compressed
               * apart, and on a thread seventeen. So the first page (/) with all that it imports is one chunk, and what a thread
               * shares with other pages is another.
               */
              codeSplitting: {
                // What changes with our dependencies only, so that a new version of the board is a small download.
                groups: [
                  { name: 'vendor', priority: 1, test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
                  { name: 'first', test: /src\/(entry-client|pages\/home\/home-page)\.tsx$/ },
                  {
                    name: (id, modules) => (isOfThreadPage(id, modules) ? 'shared' : null),
                    debugName: 'shared',
                    minShareCount: 2,
                  },
                  // Small things that several screens share, each too small for a request, and a name in the first chunk's list, of its own.
                  {
                    name: 'small',
                    test: /src\/(lib\/(held|use-held|with-proof|use-countdown|nameless|runs-board|reload-user|use-request)|rules|app\/guards)\.(tsx?|module\.css)$/,
                  },
                ],
              },
            },
    },
  },
  ssr: {
    // The server's bundle carries React and all: the server package needs nothing of the web's at run time.
    noExternal: true,
  },
}))
