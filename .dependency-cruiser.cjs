/**
 * Rules for imports between modules (ARCHITECTURE.md shows the layout), checked by `npm run check`.
 * The comment of each rule says what to do instead.
 */

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const CONTRACT = join(__dirname, 'packages/contract/src')
/** Modules of the contract without zod, which adds 60 kB to the download of the browser. */
const WITHOUT_ZOD = readdirSync(CONTRACT)
  .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/ from 'zod'/.test(readFileSync(join(CONTRACT, file), 'utf8')))
  .map((file) => file.slice(0, -3))
const WITHOUT_ZOD_PATH = `^packages/contract/src/(${WITHOUT_ZOD.join('|')})\\.ts$`

/**
 * The server's features in dependency order: a later one may import an earlier one, never the
 * reverse.
 */
const SERVER_FEATURES = [
  ...[
    'images',
    'audit',
    'settings',
    'words',
    'search',
    'categories',
    'accounts',
    'bans',
    'posters',
    'levels',
    'shields',
    'admission',
    'threads',
    'cards',
    'ip-logging',
    'posts',
    'held',
  ],
  ...['likes', 'reports', 'owners', 'profile', 'notebook', 'push', 'moderation', 'admin', 'news', 'gateway'],
]
/** The web app's features in dependency order. */
const WEB_FEATURES = [
  ...[
    'display',
    'hiding',
    'images',
    'categories',
    'reading',
    'accounts',
    'levels',
    'notices',
    'shields',
    'held',
    'likes',
    'reports',
    'news',
  ],
  ...['threads', 'moderation', 'owners', 'posts', 'notebook', 'watching', 'offline', 'settings', 'admin', 'news-desk'],
]
const serverFeature = (names) => `^apps/server/src/features/(${names.join('|')})/`
const webFeature = (names) => `^apps/web/src/features/(${names.join('|')})/`
/** Fake external servers for tests. */
const OUTSIDE = '^(apps/server|packages/newsroom)/src/testing/outside/'
/** Tests and their helpers set up whole boards, and may import any module. */
const TESTS = '(\\.test\\.tsx?$|^(apps/server|packages/newsroom)/src/testing/)'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two modules import each other, even if only for a type: merge them, or move the shared part into a third module.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment:
        'The import cannot be resolved: check the .ts extension, or add the package to the workspace that uses it.',
      severity: 'error',
      from: {},
      // Vite resolves ?url and ?raw imports, and style sheets.
      to: { couldNotResolve: true, pathNot: '(\\?|\\.css$)' },
    },
    {
      name: 'contract-only-zod',
      comment:
        'The contract contains what server and browser share: schemas, types, limits and messages. Move code for one of them to its app.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: TESTS },
      to: { pathNot: '^(packages/contract/src/|node_modules/zod/)' },
    },
    {
      name: 'newsroom-knows-no-board',
      comment:
        'The newsroom reads external sites and does not depend on database, settings or threads. Pass in what it needs; use of the results belongs in features/news.',
      severity: 'error',
      from: { path: '^packages/newsroom/src/' },
      to: { path: '^(apps|e2e|bench|torture)/' },
    },
    {
      name: 'cards-know-no-board',
      comment: 'packages/cards draws what it is given: no database, no threads. Pass in what a picture shows.',
      severity: 'error',
      from: { path: '^packages/cards/src/' },
      to: { path: '^(apps|e2e|bench|torture|packages/(?!cards/|worker-thread/))' },
    },
    {
      name: 'text-stands-alone',
      comment: 'packages/text is for all packages: pure functions of strings without imports.',
      severity: 'error',
      from: { path: '^packages/text/src/', pathNot: TESTS },
      to: { pathNot: '^packages/text/src/' },
    },
    {
      name: 'dat-knows-no-board',
      comment: 'packages/dat reads and writes logs of 2ch: pure functions. Pass in what a line shows.',
      severity: 'error',
      from: { path: '^packages/dat/src/', pathNot: TESTS },
      to: { pathNot: '^(packages/dat/src/|node_modules/iconv-lite/)' },
    },
    {
      name: 'worker-thread-stands-alone',
      comment: 'packages/worker-thread runs what it is given, whatever it is: it imports nothing of the board.',
      severity: 'error',
      from: { path: '^packages/worker-thread/src/' },
      to: { path: '^(apps|e2e|bench|torture|packages/(?!worker-thread/))' },
    },
    {
      name: 'no-server-in-web',
      comment: 'The web app depends on the contract, not on the server: move shared code into packages/contract.',
      severity: 'error',
      from: { path: '^apps/web/' },
      to: { path: '^(apps/server|packages/(cards|dat|newsroom|worker-thread))/' },
    },
    {
      name: 'no-web-in-server',
      comment:
        'The server loads the built bundle (apps/web/dist), never the sources: move shared code into packages/contract.',
      severity: 'error',
      from: { path: '^apps/server/' },
      to: { path: '^apps/web/(?!dist/)' },
    },
    {
      name: 'no-tests-in-code',
      comment: 'Production code must not import tests: move the needed part out of the test or the testing folder.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: [TESTS, '^apps/server/src/seed/'] },
      to: { path: TESTS },
    },

    {
      name: 'web-schemas-as-types-only',
      comment:
        'zod adds 60 kB to the download. Use `import type` here, or move the value to a contract module without zod.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: TESTS },
      to: {
        path: '^packages/contract/src/',
        pathNot: WITHOUT_ZOD_PATH,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'contract-without-zod',
      comment: 'The browser loads this module: use `import type` here, or move the value to a module without zod.',
      severity: 'error',
      from: { path: WITHOUT_ZOD_PATH },
      to: { path: '^packages/contract/src/[^/]+$', pathNot: WITHOUT_ZOD_PATH, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-ui-and-lib-are-below',
      comment:
        'ui/ and lib/ do not depend on the board: pass in what they need as props or arguments, or move the module into a feature.',
      severity: 'error',
      from: { path: '^apps/web/src/(ui|lib)/', pathNot: TESTS },
      to: { path: '^apps/web/src/(features|pages|app|entry)' },
    },
    {
      name: 'web-ui-stands-alone',
      comment: 'ui/ is the design system: it must not import code that fetches the board’s data.',
      severity: 'error',
      from: { path: '^apps/web/src/ui/', pathNot: TESTS },
      to: { path: '^apps/web/src/lib/(api-client|page-loader)' },
    },
    ...WEB_FEATURES.slice(0, -1).map((name, index) => ({
      name: `web-${name}-uses-earlier-features`,
      comment: `${name} comes before ${WEB_FEATURES.slice(index + 1).join(', ')}: let the later feature import ${name}, or let the page pass what it needs.`,
      severity: 'error',
      from: { path: webFeature([name]), pathNot: TESTS },
      to: { path: webFeature(WEB_FEATURES.slice(index + 1)) },
    })),
    {
      name: 'web-features-are-listed',
      comment: 'Add a new feature to WEB_FEATURES (.dependency-cruiser.cjs), whose order defines what it may import.',
      severity: 'error',
      from: { path: '^apps/web/src/features/', pathNot: `(${webFeature(WEB_FEATURES)}|${TESTS})` },
      to: {},
    },
    {
      name: 'web-features-below-pages',
      comment:
        'Pages import features. From app/ a feature may import paths, site-context and page-head; pass in the rest.',
      severity: 'error',
      from: { path: '^apps/web/src/features/', pathNot: TESTS },
      to: {
        path: '^apps/web/src/(pages|app|entry)',
        pathNot: '^apps/web/src/app/(paths|site-context|page-head)\\.tsx?$',
      },
    },
    {
      name: 'web-pages-are-apart',
      comment:
        'A page is one route, or one screen of the administration: move code shared by two pages into a feature, or compose it in app/.',
      severity: 'error',
      from: { path: '^apps/web/src/pages/((?:admin/)?[^/]+)/', pathNot: TESTS },
      to: { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
    },

    {
      name: 'server-lib-is-pure',
      comment:
        'lib/ contains helpers that do not depend on the board: pass in what they need, or move the module into its feature or layer.',
      severity: 'error',
      from: { path: '^apps/server/src/lib/', pathNot: TESTS },
      to: { path: '^apps/server/src/(?!lib/)' },
    },
    {
      name: 'server-layers-below-features',
      comment:
        'db/, http/, realtime/, redis/ and core.ts must not depend on a feature: let the feature register itself, or pass a function in infrastructure.ts.',
      severity: 'error',
      from: { path: '^apps/server/src/((db|http|realtime|redis)/|core\\.ts$)', pathNot: TESTS },
      to: { path: '^apps/server/src/(features/|app\\.ts|main\\.ts)' },
    },
    // Each feature may import those before it in the list.
    ...SERVER_FEATURES.slice(0, -1).map((name, index) => ({
      name: `server-${name}-uses-earlier-features`,
      comment: `${name} comes before ${SERVER_FEATURES.slice(index + 1).join(', ')}: let the later feature call ${name}, or subscribe to it (as to postWriter.onCommit).`,
      severity: 'error',
      from: { path: serverFeature([name]), pathNot: TESTS },
      to: { path: serverFeature(SERVER_FEATURES.slice(index + 1)) },
    })),
    {
      name: 'server-features-are-listed',
      comment:
        'Add a new feature to SERVER_FEATURES (.dependency-cruiser.cjs), whose order defines what it may import.',
      severity: 'error',
      from: { path: '^apps/server/src/features/', pathNot: `(${serverFeature(SERVER_FEATURES)}|${TESTS})` },
      to: {},
    },
    {
      name: 'server-features-meet-in-services',
      comment: 'Routes and sockets of another feature are for clients: call its service or queries instead.',
      severity: 'error',
      from: { path: '^apps/server/src/features/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^apps/server/src/features/[^/]+/.*\\.(routes|socket)\\.ts$',
        pathNot: '^apps/server/src/features/$1/',
      },
    },
    {
      name: 'server-environment-in-one-place',
      comment: 'Only main.ts and the programs beside it read config.ts: pass the needed settings to other modules.',
      severity: 'error',
      from: { path: '^apps/server/src/(lib|db)/', pathNot: TESTS },
      to: { path: '^apps/server/src/config\\.ts$' },
    },

    {
      name: 'outside-tests-use-the-front-door',
      comment: 'e2e tests use the board as clients do: over HTTP, the socket and the contract.',
      severity: 'error',
      from: { path: '^e2e/' },
      to: {
        path: '^(apps/(web|server)|packages/newsroom)/src/',
        pathNot: [OUTSIDE, '^apps/server/src/lib/free-port\\.ts$'],
      },
    },
    {
      name: 'the-outside-knows-nothing-of-us',
      comment:
        'Fake publishers, models, mail servers and providers imitate external ones: they import nothing of the server but free-port.ts.',
      severity: 'error',
      from: { path: OUTSIDE },
      to: { path: '^(apps/(web|server)|packages)/', pathNot: [OUTSIDE, '^apps/server/src/lib/free-port\\.ts$'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/dist/', '^data/'] },
    // TypeScript 7 has no compiler API for JavaScript, so swc reads the sources, including
    // type-only imports.
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
}
