/**
 * All addresses of the board. Links contain the names of categories: names are readable and stable.
 */
import { PAGE_SIZE } from '@shinobi/contract/limits'

const segment = encodeURIComponent

/**
 * Start of a post's page. Pages are aligned, so that all links to a part of a thread share one
 * address.
 */
export const pageOf = (number: number): number => Math.floor((number - 1) / PAGE_SIZE) * PAGE_SIZE

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

/** `next`: the page after logging in; by default the profile. */
const withNext = (path: string, next = '/profile') => (next === '/profile' ? path : `${path}?next=${segment(next)}`)

export const paths = {
  home: '/',
  ranking: '/ranking',
  create: (category?: string) => (category === undefined ? '/create' : `/create?category=${segment(category)}`),
  /** The form for the next thread (次スレ) of a thread. */
  createNext: (threadId: string) => `/create?previous=${segment(threadId)}`,
  thread: (threadId: string) => `/thread/${segment(threadId)}`,
  /** The picture that previews of a shared thread show. */
  card: (threadId: string) => `/og/${segment(threadId)}.png`,
  /** A post's permanent address; works without JavaScript for every number. */
  post(threadId: string, number: number) {
    const after = pageOf(number)
    return `/thread/${segment(threadId)}${after <= 0 ? '' : `?after=${after}`}#${number}`
  },
  categories: '/categories',
  category: (nameOrId: string) => `/categories/${segment(nameOrId)}`,
  /** 過去ログ of the board, or of a category. */
  past: (category?: string) => (category === undefined ? '/past' : `/categories/${segment(category)}/past`),
  /** What this browser keeps; without a list the favourites. */
  notebook: (list?: 'alerts' | 'history' | 'threads' | 'posts') =>
    list === undefined ? '/notebook' : `/notebook?list=${list}`,
  about: '/about',
  terms: '/terms',
  moderationLog: '/moderation-log',
  /** 忍法帖: the own level. */
  scroll: '/scroll',
  /** How browsers of 2ch (専ブラ) read and write here. */
  clients: '/senbura',
  /** NG: what this browser hides. */
  hiding: '/ng',
  login: (next?: string) => withNext('/login', next),
  register: (next?: string) => withNext('/register', next),
  profile: '/profile',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  /** Without a screen: the dashboard. */
  admin: (screen?: AdminScreen) => (screen === undefined ? '/admin' : `/admin/${screen}`),
} as const

/** Patterns of the router for those addresses above that have a parameter. */
export const patterns = {
  thread: '/thread/:threadId',
  /** The notation of 2ch: a number, `l50`, `100-`, `100-200`. */
  threadPlace: '/thread/:threadId/:place',
  category: '/categories/:categoryId',
  categoryPast: '/categories/:categoryId/past',
  create: '/create',
  admin: '/admin/*',
} as const
