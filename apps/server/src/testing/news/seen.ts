/** What readers and administrators see of the news, and what the database has. */
import type { NewsStatus, NewsStory, StoryList, ThreadSummary } from '@shinobi/contract/news'
import type { ThreadItem } from '@shinobi/contract/threads'
import { admin, begun, board, guest } from './newsroom.ts'

export const sourceOf = (id: string) =>
  board.database.db.selectFrom('newsSources').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
export const articles = () => board.database.db.selectFrom('newsArticles').selectAll().orderBy('id').execute()

/** The stories at the desk, newest first; of one list, or all. */
export async function stories(state?: StoryList): Promise<NewsStory[]> {
  const query = state === undefined ? '' : `&state=${state}`
  return (await admin.get<{ stories: NewsStory[] }>(`/api/admin/news/stories?limit=100${query}`)).body.stories
}
export const onlyStory = async (): Promise<NewsStory> => (await stories())[0]!
export const status = async (): Promise<NewsStatus> => (await admin.get<NewsStatus>('/api/admin/news/status')).body

/** The visible threads of the test, by title. */
export async function threads(): Promise<Map<string, ThreadItem>> {
  const { body } = await guest.get<ThreadItem[]>('/api/threads?limit=50')
  const young = body.filter(({ createdAt }) => Date.parse(createdAt) >= begun)
  return new Map(young.map((thread) => [thread.title, thread]))
}
export const titles = async (): Promise<string[]> => [...(await threads()).keys()]

/** The summary of a thread, or else of the newest one. */
export async function summaryOf(thread?: { _id: string }): Promise<ThreadSummary> {
  const { _id } = thread ?? [...(await threads()).values()][0]!
  return (await guest.get<ThreadSummary>(`/api/threads/${_id}/summary`)).body
}
