/** Text for something that the next run of the news will do. */
import type { NewsStatus, NewsStory } from '@shinobi/contract/news'

type Schedule = Pick<NewsStatus, 'active' | 'scheduled'> | undefined

/**
 * The time of the next run. Another server, or the command line, may run the news where this server
 * does not. A story also waits for its source.
 */
export function whenNext(status: Schedule, story?: Pick<NewsStory, 'sourceActive'>): string {
  const stopped = [status?.active === false && 'ニュース', story?.sourceActive === false && '情報源']
  const awaited = stopped.filter((one) => one !== false).join('と')
  if (awaited !== '') return `${awaited}を再開すると、`
  return status?.scheduled === false ? '次に情報源を見るときに、' : 'まもなく、'
}

export const sayApproved = (status: Schedule, story: Pick<NewsStory, 'sourceActive'>): string =>
  `承認しました。${whenNext(status, story)}順に掲載されます。`
