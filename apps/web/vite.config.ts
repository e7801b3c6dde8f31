import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null
}

/**
 * Tells whether a module is the entry or one of its direct and indirect imports. The set is built
 * on the first call, after the bundler has read all modules.
 */
function importsOf(entry: string): (id: string, modules: Modules) => boolean {
  let known: Set<string> | null = null
  const collect = (modules: Modules): Set<string> => {
    const found = new Set([resolve(import.meta.dirname, entry)])
    // Iteration of a set includes items added meanwhile.
    for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
    return found
  }
  return (id, modules) => (known ??= collect(modules)).has(id)
}
const isOfThreadPage = importsOf('src/pages/thread/thread-page.tsx')

/** Classes of each stylesheet in their order, and the stylesheet of each prefix. */
const classesOf = new Map<string, string[]>()
const prefixes = new Map<string, string>()

/**
 * Short class names: a page of posts repeats them a thousand times. They depend on the stylesheet
 * alone, because browser and server are built separately.
 */
function shortClassName(name: string, path: string): string {
  const file = relative(import.meta.dirname, path)
  const digest = createHash('sha256').update(file).digest('base64')
  // The underscore tells them from the names of base.css.
  const prefix = `_${digest.replaceAll(/[+/]/g, '').slice(0, 3)}`
  const other = prefixes.get(prefix) ?? file
  if (other !== file) throw new Error(`${file} and ${other} get the same class names: rename one of them`)
  prefixes.set(prefix, file)
  const names = classesOf.get(file) ?? []
  classesOf.set(file, names)
  if (!names.includes(name)) names.push(name)
  return `${prefix}${names.indexOf(name).toString(36)}`
}

/**
 * Moves the stylesheet before the scripts, and gives these a low priority: the stylesheet blocks
 * the first paint, the scripts do not, and a slow line is for what can be read first. Comments stay
 * in the sources; the places that the server fills (`<!--head-->`) have no space in them.
 */
const styleFirst = (): Plugin => ({
  name: 'style-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const link = /\n\s*(<link rel="stylesheet"[^>]*>)/
      const [line, style] = link.exec(html) ?? []
      if (line === undefined) throw new Error('index.html has no stylesheet')
      return html
        .replace(line, '')
        .replace('<!--styles-->', `${style}<!--styles-->`)
        .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
        .replaceAll(/\n\s*<!-- .*? -->/g, '')
    },
  },
})

/** Minifies the scripts that pages wait for: files of public/ are copied as they are. */
const minifyEarly = (): Plugin => ({
  name: 'minify-early',
  applyToEnvironment: ({ name }) => name === 'client',
  writeBundle({ dir }) {
    for (const name of ['boot.js', 'thread.js']) {
      const file = join(dir!, name)
      const { code, errors } = minifySync(file, readFileSync(file, 'utf8'))
      if (errors.length > 0) throw new Error(`${name} cannot be minified: ${errors[0].message}`)
      writeFileSync(file, code)
    }
  },
})

/**
 * Fails the build when chunks import each other in a circle: one of them would run before the
 * values that it uses exist. Then a group below lacks a module that its modules import.
 */
const noCircularChunks = (): Plugin => ({
  name: 'no-circular-chunks',
  generateBundle(_options, bundle) {
    const known = new Set<string>()
    const visit = (name: string, way: readonly string[]) => {
      if (way.includes(name)) throw new Error(`chunks in a circle: ${[...way, name].join(' → ')}`)
      const chunk = bundle[name]
      if (known.has(name) || chunk?.type !== 'chunk') return
      for (const imported of chunk.imports) visit(imported, [...way, name])
      known.add(name)
    }
    for (const name of Object.keys(bundle)) visit(name, [])
  },
})

/**
 * Two builds from one config: the browser's (dist/client) and, with `--ssr src/entry-server.tsx`,
 * the server's (dist/server).
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), styleFirst(), minifyEarly(), noCircularChunks()],
  css: { modules: { generateScopedName: (name, file) => shortClassName(name, file.replace(/\?.*/, '')) } },
  define: isSsrBuild === true ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    outDir: isSsrBuild === true ? 'dist/server' : 'dist/client',
    target: 'es2022',
    modulePreload: {
      // All supported browsers know modulepreload.
      polyfill: false,
      // Every page has loaded these already. Without them the preload lists, which are part of the
      // first chunk, are shorter.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !/\/(vendor|rolldown-runtime|first)-/.test(file)) : files,
    },
    manifest: isSsrBuild !== true,
    ssrManifest: isSsrBuild !== true,
    copyPublicDir: isSsrBuild !== true,
    // No inlining: the content security policy allows no data: URLs for scripts and fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Writes messages and limits into the code that uses them. Otherwise the first chunk would
      // contain those of all screens.
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      // A slow machine needs no warning.
      checks: { pluginTimings: false },
      output:
        isSsrBuild === true
          ? {}
          : {
              // The first chunk lists a hundred names, whose hashes cannot be compressed. A few
              // characters tell the versions of a file apart.
              chunkFileNames: 'assets/[name]-[hash:7].js',
              assetFileNames: 'assets/[name]-[hash:6][extname]',
              /*
               * By default the bundler creates a chunk, with script and stylesheet, for every set
               * of pages that share a module: ten files of a few hundred bytes each on /, and
               * seventeen on a thread, which repeat each other's names and are compressed
               * separately. So the first page (/) with all its imports is one chunk, and the
               * modules that a thread shares with other pages are another.
               */
              codeSplitting: {
                // Changes with its dependencies only, so that a new version of the board is a small
                // download.
                groups: [
                  { name: 'vendor', priority: 1, test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
                  // All messages are imported under one name, but those of these subjects are
                  // shown on later screens only.
                  {
                    name: 'messages',
                    priority: 1,
                    includeDependenciesRecursively: false,
                    test: /contract\/src\/(messages\/(accounts|administration|posts)|staff-limits)\.ts$/,
                  },
                  // What was read: every page loads it, after hydration, and only thread pages all
                  // of what they share.
                  {
                    name: 'reading',
                    priority: 1,
                    includeDependenciesRecursively: false,
                    test: /(features\/reading\/(database|merge|delta|record)|lib\/open-database|contract\/src\/notebook-entry)\.ts$/,
                  },
                  { name: 'first', test: /src\/(entry-client|pages\/home\/home-page)\.tsx$/ },
                  {
                    name: (id, modules) => (isOfThreadPage(id, modules) ? 'shared' : null),
                    debugName: 'shared',
                    minShareCount: 2,
                  },
                  // Small modules that several screens share: each alone is too small for a
                  // request, and for an entry in the first chunk's preload list.
                  {
                    name: 'small',
                    test: /src\/(lib\/(use-countdown|use-request)|features\/(held\/(held|use-held)|shields\/with-proof|accounts\/reload-user)|ui\/(select|line)-field|rules|app\/guards)\.(tsx?|module\.css)$/,
                  },
                ],
              },
            },
    },
  },
  ssr: {
    // The server's bundle contains React and all other packages: the server package needs no
    // package of the web app at run time.
    noExternal: true,
  },
}))
