/** The screens of the administration, in the order of its menu. Each is a separate chunk. */
import type { User } from '@shinobi/contract/accounts'
import { objectionTo, type Action } from '@shinobi/contract/permissions'
import { lazy, type ComponentType } from 'react'
import { inTime } from '../lib/load-chunk.ts'
import { paths, type AdminScreen } from './paths.ts'

export interface AdminPage {
  /** Undefined for the dashboard. */
  screen?: AdminScreen
  label: string
  group: (typeof ADMIN_GROUPS)[number]
  /** The screen is for users who may do this. */
  action: Action
  Component: ComponentType
}

export const ADMIN_GROUPS = ['概要', '見回り', '一覧', '守り', '運営'] as const

const page = (load: () => Promise<ComponentType>): ComponentType => lazy(async () => ({ default: await inTime(load) }))

export const adminPages: readonly AdminPage[] = [
  {
    label: 'ダッシュボード',
    group: '概要',
    action: 'seeDashboard',
    Component: page(async () => (await import('../pages/admin/dashboard/dashboard-page.tsx')).DashboardPage),
  },
  {
    screen: 'reports',
    label: '通報',
    group: '見回り',
    action: 'decideReports',
    Component: page(async () => (await import('../pages/admin/reports/reports-page.tsx')).ReportsPage),
  },
  {
    screen: 'held',
    label: '確認待ち',
    group: '見回り',
    action: 'decideHeld',
    Component: page(async () => (await import('../pages/admin/held/held-page.tsx')).HeldPage),
  },
  {
    screen: 'threads',
    label: 'スレッド',
    group: '一覧',
    action: 'browse',
    Component: page(async () => (await import('../pages/admin/threads/threads-page.tsx')).ThreadsPage),
  },
  {
    screen: 'posts',
    label: '書き込み',
    group: '一覧',
    action: 'browse',
    Component: page(async () => (await import('../pages/admin/posts/posts-page.tsx')).PostsPage),
  },
  {
    screen: 'users',
    label: '会員',
    group: '一覧',
    action: 'seeMembers',
    Component: page(async () => (await import('../pages/admin/users/users-page.tsx')).UsersPage),
  },
  {
    screen: 'categories',
    label: 'カテゴリ',
    group: '一覧',
    action: 'editCategories',
    Component: page(async () => (await import('../pages/admin/categories/categories-page.tsx')).CategoriesPage),
  },
  {
    screen: 'bans',
    label: '書き込みの制限',
    group: '守り',
    action: 'ban',
    Component: page(async () => (await import('../pages/admin/bans/bans-page.tsx')).BansPage),
  },
  {
    screen: 'shields',
    label: '結界',
    group: '守り',
    action: 'setShields',
    Component: page(async () => (await import('../pages/admin/shields/shields-page.tsx')).ShieldsPage),
  },
  {
    screen: 'words',
    label: '禁止語',
    group: '守り',
    action: 'editWords',
    Component: page(async () => (await import('../pages/admin/words/words-page.tsx')).WordsPage),
  },
  {
    screen: 'tracing',
    label: '一時記録',
    group: '運営',
    action: 'orderIpLogging',
    Component: page(async () => (await import('../pages/admin/tracing/tracing-page.tsx')).TracingPage),
  },
  {
    screen: 'news',
    label: 'ニュース',
    group: '運営',
    action: 'runNews',
    Component: page(async () => (await import('../pages/admin/news/news-page.tsx')).NewsPage),
  },
  {
    screen: 'settings',
    label: '設定',
    group: '運営',
    action: 'changeSettings',
    Component: page(async () => (await import('../pages/admin/settings/settings-page.tsx')).SettingsPage),
  },
  {
    screen: 'audit',
    label: '操作の記録',
    group: '運営',
    action: 'readAuditLog',
    Component: page(async () => (await import('../pages/admin/audit/audit-page.tsx')).AuditPage),
  },
]

/** The screens in the menu of this user. */
export const adminPagesOf = (user: User): readonly AdminPage[] =>
  adminPages.filter(({ action }) => objectionTo(user, action) === null)

/** The screen at an address. */
export const findAdminPage = (pathname: string): AdminPage | undefined =>
  adminPages.find(({ screen }) => paths.admin(screen) === pathname.replace(/\/$/, ''))
