/** Every address of the board, written in one place. Categories go by name in links: names are readable and stable. */
const segment = encodeURIComponent

/** Screens of the administration, below /admin; each is listed in admin-pages.ts. */
export type AdminScreen =
  | 'reports'
  | 'held'
  | 'threads'
  | 'posts'
  | 'bans'
  | 'shields'
  | 'users'
  | 'categories'
  | 'words'
  | 'tracing'
  | 'news'
  | 'settings'
  | 'audit'

/** `next`: where to go once logged in; the profile, when nothing else is asked for. */
const withNext = (path: string, next = '/profile') => (next === '/profile' ? path : `${path}?next=${segment(next)}`)

export const paths = {
  home: '/',
  ranking: '/ranking',
  create: (category?: string) => (category === undefined ? '/create' : `/create?category=${segment(category)}`),
  thread: (threadId: string) => `/thread/${segment(threadId)}`,
  categories: '/categories',
  category: (nameOrId: string) => `/categories/${segment(nameOrId)}`,
  about: '/about',
  terms: '/terms',
  moderationLog: '/moderation-log',
  login: (next?: string) => withNext('/login', next),
  register: (next?: string) => withNext('/register', next),
  profile: '/profile',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  /** Without a screen: the dashboard. */
  admin: (screen?: AdminScreen) => (screen === undefined ? '/admin' : `/admin/${screen}`),
} as const

/** Patterns of the router for the addresses above that carry a parameter. */
export const patterns = {
  thread: '/thread/:threadId',
  /** As 2ch's readers write it: a number, `l50`, `100-`, `100-200`. */
  threadPlace: '/thread/:threadId/:place',
  category: '/categories/:categoryId',
  create: '/create',
  admin: '/admin/*',
} as const
