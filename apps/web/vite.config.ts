import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * React Router carries the runtime of its own framework (prefetching by manifest, fog of war, instrumentation) into every bundle: its
 * Link refers to it, so nothing can be shaken off. We use the data mode only, where all of that is switched off, and 4 kB (gzip) of the
 * first page's budget matter more. In the browser's build these two modules are replaced by what data mode sees of them.
 * Should a new version ask for another name, the build fails with its name rather than shipping something broken.
 */
const standIns: readonly { module: RegExp; code: string }[] = [
  {
    module: /react-router\/dist\/production\/lib\/dom\/ssr\/components\.js$/,
    code: `
      import { createContext, useRef } from 'react'
      export const FrameworkContext = createContext(undefined)
      export const usePrefetchBehavior = () => [false, useRef(null), {}]
      export const mergeRefs = (...refs) => (value) => {
        for (const ref of refs) {
          if (typeof ref === 'function') ref(value)
          else if (ref != null) ref.current = value
        }
      }
      export const PrefetchPageLinks = () => null
      // Named by parts of the framework that are shaken off afterwards.
      export const Links = null, Meta = null, Scripts = null, setIsHydrated = null, useFrameworkContext = null
      export const CRITICAL_CSS_DATA_ATTRIBUTE = ''
    `,
  },
  {
    module: /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/,
    code: `
      export const consumeInstrumentationClientResultMetaReceiver = () => undefined
      export const getRouteInstrumentationUpdates = () => ({})
      export const instrumentClientSideRouter = (router) => router
      export const instrumentHandler = null, instrumentationResultMetaContext = null
    `,
  },
]

const leanRouter = (): Plugin => ({
  name: 'lean-router',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
  load(id) {
    return standIns.find(({ module }) => module.test(id))?.code
  },
  // Names for the developer tools, given by assignment, keep components alive that nobody uses.
  transform(code, id) {
    if (!/react-router\/dist\/production\//.test(id)) return null
    return code
      .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
      .replace(/(?<== )(?=React\$1\.(?:forwardRef|memo|createContext)\()/g, '/* @__PURE__ */ ')
  },
})

const MESSAGE = '\0message:'

/**
 * The catalogue of messages is one object, which no bundler takes apart: the first page would carry every word of the admin screens.
 * In the browser's build each message becomes a module of its own, so that the first page brings its own only (see `codeSplitting`).
 */
const splitMessages = (): Plugin => {
  const catalogue = async () => {
    const file = resolve(import.meta.dirname, '../../packages/contract/src/messages.ts')
    return ((await import(pathToFileURL(file).href)) as { messages: Record<string, unknown> }).messages
  }
  return {
    name: 'split-messages',
    enforce: 'pre',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    resolveId: (id) => (id.startsWith(MESSAGE) ? id : null),
    async load(id) {
      if (!id.startsWith(MESSAGE)) return null
      const name = id.slice(MESSAGE.length)
      const text = (await catalogue())[name]
      if (text === undefined) throw new Error(`there is no message ${name}`)
      return `export default ${typeof text === 'string' ? JSON.stringify(text) : String(text)}`
    },
    transform(code) {
      const statement = /import \{ messages \} from (['"])@shinobi\/contract\/messages\1/
      if (!statement.test(code)) return null
      const body = code.replace(statement, '')
      // Looked up by a name that is known at run time only: then it is the whole catalogue.
      if (/\bmessages\b(?!\.\w)/.test(body.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, ''))) return null
      const names = new Set([...body.matchAll(/\bmessages\.(\w+)/g)].map(([, name]) => name))
      const imports = [...names].map((name) => `import message_${name} from ${JSON.stringify(MESSAGE + name)}`)
      return `${imports.join(';')};${body.replaceAll(/\bmessages\.(\w+)/g, 'message_$1')}`
    },
  }
}

/** Where a page's chunk comes from is the server's to know (it names the files to preload): the browser's router does without. */
const leanRoutes = (): Plugin => ({
  name: 'lean-routes',
  enforce: 'pre',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
  transform(code, id) {
    if (id.endsWith('/src/app/router.tsx')) return code.replace(/^\s*module: '[^']*',$/gm, '')
    if (!code.includes('deferred(')) return null
    return code.replace(/(\bdeferred\([^;]*?),\s*'src\/[^']*',?\s*\)/g, '$1)')
  },
})

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null
}

/** What some modules import, and they themselves: known once the bundler has read all modules. */
function importsOf(entries: readonly string[]) {
  let known: Set<string> | null = null
  const collect = (modules: Modules): Set<string> => {
    const found = new Set<string>()
    const waiting = entries.map((file) => resolve(import.meta.dirname, file))
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id)) continue
      found.add(id)
      waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
    }
    return found
  }
  return {
    has: (id: string, modules: Modules): boolean => (known ??= collect(modules)).has(id),
    forget: () => (known = null),
  }
}

/**
 * Left to itself the bundler makes a chunk, with its script and its stylesheet, for every set of pages that share a module: on / those were ten
 * files of a few hundred bytes each, which list each other's names and are compressed apart, and on a thread seventeen. So what the first
 * page (/) imports is one chunk, and what a thread shares with other pages is another.
 */
const firstPage = importsOf(['src/entry-client.tsx', 'src/pages/home/home-page.tsx'])
/** What the index of TanStack Query names and the first page does not use. */
const notOfFirstPage = /@tanstack\/.*\/(queriesObserver|useQueries)\.js$/
const threadPage = importsOf(['src/pages/thread/thread-page.tsx'])

const pageImports = (): Plugin => ({
  name: 'page-imports',
  buildStart() {
    firstPage.forget()
    threadPage.forget()
  },
})

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
  plugins: [react(), leanRouter(), splitMessages(), leanRoutes(), pageImports(), styleFirst()],
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
              codeSplitting: {
                // What changes with our dependencies only, so that a new version of the board is a small download.
                groups: [
                  { name: 'vendor', priority: 1, test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
                  {
                    name: (id, modules) => (firstPage.has(id, modules) && !notOfFirstPage.test(id) ? 'first' : null),
                    debugName: 'first',
                  },
                  // The other pages' words, which would else be a file for every set of pages that share one.
                  { name: (id) => (id.startsWith(MESSAGE) ? 'messages' : null), debugName: 'messages' },
                  {
                    name: (id, modules) => (threadPage.has(id, modules) ? 'shared' : null),
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
