/**
 * Who may import whom (ARCHITECTURE.md shows the layout). Run by `npm run check`. Every rule's comment says what to do instead.
 */

/** The server's features in the order in which they build on each other: a later one may use an earlier one, never back. */
const SERVER_FEATURES = [
  ...[
    'site',
    'images',
    'audit',
    'settings',
    'words',
    'search',
    'categories',
    'accounts',
    'bans',
    'shields',
    'admission',
    'threads',
    'ip-logging',
    'posts',
    'held',
  ],
  ...['likes', 'reports', 'profile', 'moderation', 'admin', 'news'],
]
const serverFeature = (names) => `^apps/server/src/features/(${names.join('|')})/`
/** Tests and their helpers build whole boards, and may look anywhere. */
/** Servers of others that tests of the board talk to. */
const OUTSIDE = '^(apps/server|packages/newsroom)/src/testing/outside/'
const TESTS = '(\\.test\\.tsx?$|^(apps/server|packages/newsroom)/src/testing/)'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two modules that need each other are one idea, or hide a third: move what both need into a module of its own.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolved',
      comment: 'The import leads nowhere: mind the .ts extension, or add the package to the workspace that uses it.',
      severity: 'error',
      from: {},
      // Vite resolves ?url and ?raw imports, and style sheets, by itself.
      to: { couldNotResolve: true, pathNot: '(\\?|\\.css$)' },
    },
    {
      name: 'contract-only-zod',
      comment:
        'The contract is what both ends agree on: plain schemas, types, limits and messages. Code for one end belongs there.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: TESTS },
      to: { pathNot: '^(packages/contract/src/|node_modules/zod/)' },
    },
    {
      name: 'newsroom-knows-no-board',
      comment:
        'The newsroom reads the outside for whoever asks: it knows no database, settings or threads. Pass in what it needs; what the board does with it belongs into features/news.',
      severity: 'error',
      from: { path: '^packages/newsroom/src/' },
      to: { path: '^(apps|e2e|bench|torture)/' },
    },
    {
      name: 'text-stands-alone',
      comment: 'packages/text is what all may use: pure functions of strings that import nothing.',
      severity: 'error',
      from: { path: '^packages/text/src/', pathNot: TESTS },
      to: { pathNot: '^packages/text/src/' },
    },
    {
      name: 'no-server-in-web',
      comment: 'The browser knows the server by its contract only: put what both need into packages/contract.',
      severity: 'error',
      from: { path: '^apps/web/' },
      to: { path: '^(apps/server|packages/newsroom)/' },
    },
    {
      name: 'no-web-in-server',
      comment:
        'The server loads the built bundle (apps/web/dist), never the sources: put what both need into packages/contract.',
      severity: 'error',
      from: { path: '^apps/server/' },
      to: { path: '^apps/web/(?!dist/)' },
    },
    {
      name: 'no-tests-in-code',
      comment: 'Test helpers stay out of what visitors run: move what is needed out of the test or the testing folder.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: [TESTS, '^apps/server/src/seed/'] },
      to: { path: TESTS },
    },

    {
      name: 'web-schemas-as-types-only',
      comment:
        'zod weighs 60 kB in the browser. Use `import type` here, or move the value to a contract module without zod (limits, messages, text, credentials, category-labels, complaints, nameless, ninja-name, rules, audit-labels, news-labels, site, render).',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: TESTS },
      to: {
        path: '^packages/contract/src/',
        pathNot:
          '^packages/contract/src/(limits|messages|text|credentials|category-labels|complaints|nameless|ninja-name|rules|audit-labels|news-labels|site|render)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-ui-and-lib-are-below',
      comment:
        'ui/ and lib/ know nothing of the board: pass in what they need as props or arguments, or move the module up.',
      severity: 'error',
      from: { path: '^apps/web/src/(ui|lib)/', pathNot: TESTS },
      to: { path: '^apps/web/src/(features|pages|app|entry)' },
    },
    {
      name: 'web-ui-stands-alone',
      comment:
        'ui/ is the design system: from lib/ and the contract it takes nothing that fetches or formats the board’s data.',
      severity: 'error',
      from: { path: '^apps/web/src/ui/', pathNot: TESTS },
      to: { path: '^apps/web/src/lib/(api-client|page-loader)' },
    },
    {
      name: 'web-features-are-apart',
      comment:
        'A feature does not look into another: let the page compose both, or move what is shared to lib/ or ui/.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: TESTS },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'web-features-below-pages',
      comment:
        'Features are used by pages. From app/ they may use paths, site-context and page-head; pass in the rest.',
      severity: 'error',
      from: { path: '^apps/web/src/features/', pathNot: TESTS },
      to: {
        path: '^apps/web/src/(pages|app|entry)',
        pathNot: '^apps/web/src/app/(paths|site-context|page-head)\\.tsx?$',
      },
    },
    {
      name: 'web-pages-are-apart',
      comment: 'A page is one route: move what two pages share into a feature, or compose it in app/.',
      severity: 'error',
      from: { path: '^apps/web/src/pages/([^/]+)/', pathNot: TESTS },
      to: { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
    },

    {
      name: 'server-lib-is-pure',
      comment:
        'lib/ holds helpers without a noun: pass in what they need, or move the module into the feature or layer it belongs to.',
      severity: 'error',
      from: { path: '^apps/server/src/lib/', pathNot: TESTS },
      to: { path: '^apps/server/src/(?!lib/)' },
    },
    {
      name: 'server-layers-below-features',
      comment:
        'db/, http/, realtime/ and redis/ serve all features and know none: let the feature register itself, or pass a function in app.ts.',
      severity: 'error',
      from: { path: '^apps/server/src/(db|http|realtime|redis)/', pathNot: TESTS },
      to: { path: '^apps/server/src/(features/|app\\.ts|main\\.ts)' },
    },
    // Each feature may use the ones before it in the list.
    ...SERVER_FEATURES.slice(0, -1).map((name, index) => ({
      name: `server-${name}-uses-earlier-features`,
      comment: `${name} stands before ${SERVER_FEATURES.slice(index + 1).join(', ')}: let the later feature call ${name}, or hand it a callback in app.ts.`,
      severity: 'error',
      from: { path: serverFeature([name]), pathNot: TESTS },
      to: { path: serverFeature(SERVER_FEATURES.slice(index + 1)) },
    })),
    {
      name: 'server-features-are-listed',
      comment:
        'A new feature gets its place in SERVER_FEATURES (.dependency-cruiser.cjs), which says what it may build on.',
      severity: 'error',
      from: { path: '^apps/server/src/features/', pathNot: `(${serverFeature(SERVER_FEATURES)}|${TESTS})` },
      to: {},
    },
    {
      name: 'server-features-meet-in-services',
      comment: 'Routes and sockets of another feature are its front door for visitors: call its service or queries.',
      severity: 'error',
      from: { path: '^apps/server/src/features/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^apps/server/src/features/[^/]+/.*\\.(routes|socket)\\.ts$',
        pathNot: '^apps/server/src/features/$1/',
      },
    },
    {
      name: 'server-environment-in-one-place',
      comment:
        'config.ts is read by main.ts and the programs beside it; everything else is handed the settings it needs.',
      severity: 'error',
      from: { path: '^apps/server/src/(lib|db)/', pathNot: TESTS },
      to: { path: '^apps/server/src/config\\.ts$' },
    },

    {
      name: 'outside-tests-use-the-front-door',
      comment: 'e2e and bench see the board as visitors do: over HTTP, the socket and the contract.',
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
        'Publishers, models, mail servers and providers for tests are like those of others: they import nothing of the server but a free port.',
      severity: 'error',
      from: { path: OUTSIDE },
      to: { path: '^(apps/(web|server)|packages)/', pathNot: [OUTSIDE, '^apps/server/src/lib/free-port\\.ts$'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/dist/', '^data/'] },
    // TypeScript 7 offers no compiler API to JavaScript; swc reads the sources instead, type-only imports included.
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
}
