/**
 * Journeys that one screen proves. Every other journey runs on a phone and on a desktop, and so
 * does each one here whose title ends with @both: what lays out, moves, opens over the page, or is
 * pressed, hovered or typed differs between them. What is listed tests the server, or scripts that
 * ask neither for the width nor for the pointer; screens.spec.ts looks at the screens on both.
 */
const ON_A_PHONE = {
  'accounts-google': 'the provider’s answers; the forms are those of accounts',
  'accounts-mail': 'mails and their links',
  'accounts-profile': 'names, passwords, sessions and deletion; a picture is cropped on both',
  'accounts-session': 'cookies, tabs and renewals',
  accounts: 'answers to forms, and the guards of routes',
  composer: 'what a reload, a tab or a refusal leaves in the field; keys, rows and presses run on both',
  devices: 'synchronising between browsers',
  extraction: 'which posts are picked; the slips and places run on both',
  'first-visit': 'what happens before and without the script',
  following: 'when it ends; what pauses it differs, and runs on both',
  hiding: 'rules on texts; menus and slips run on both',
  identity: 'IDs, trips and sage; the line of a post and its slip run on both',
  levels: 'the days of the server',
  'life-of-a-thread': 'limits and next threads; the way from a full thread runs on both',
  likes: 'counting, tabs, and the way over the log-in; what moves or takes the focus runs on both',
  'list-rows': 'orders and polling; the rows run on both',
  lists: 'fresh answers; links and the rows run on both',
  live: 'sockets, the network and restarts; what moves while reading or typing runs on both',
  members: 'sessions and own posts in a thread',
  names: 'which name counts; the line and menus run on both',
  'new-version': 'files of the server',
  news: 'what is told of a thread, and hiding it; its summary runs on both',
  'no-script': 'the rendered page has no width',
  notebook: 'records, files and the network; the way through runs on both',
  offline: 'files of the service worker',
  'own-posts': 'who may delete, and where a post is gone; menus run on both',
  owner: 'who may, and what is told; a stormy thread runs on both',
  push: 'notices outside the page, and the server’s part of them',
  raid: 'the server’s limits',
  'read-only': 'refusals, and what is kept',
  reading: 'addresses and the network; slips and places run on both',
  reports: 'failures, and what is kept; the dialog runs on both',
  'staff-posts': 'who may, and what the page says',
  unsent: 'the network, tabs and the service worker',
  unread: 'records and tabs; places run on both',
  watching: 'records and notices; the first of them runs on both',
} as const

const ON_A_DESKTOP = {
  admin: 'lists, dialogs and their effects; menus, filters and pages run on both',
  moderation: 'decisions and their effects; what readers and the desk show runs on both',
  'news-admin': 'sources, stories and their effects',
  'public-pages': 'bytes of the server, and the console',
} as const

/** Matches the journeys that other screens prove: those of its files without @both. */
const except = (files: Readonly<Record<string, string>>) =>
  new RegExp(`journeys/(?:${Object.keys(files).join('|')})\\.spec\\.ts(?!.*@both)`)

export const notOnPhones = except(ON_A_DESKTOP)
export const notOnDesktops = except(ON_A_PHONE)
