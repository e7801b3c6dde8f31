/** Text for something that the next run of the news will do. */
import type { NewsStatus } from '@shinobi/contract/news'

type Schedule = Pick<NewsStatus, 'active' | 'scheduled'> | undefined

/**
 * The time of the next run. Another server, or the command line, may run the news where this server
 * does not.
 */
export function whenNext(status: Schedule): string {
  if (status?.active === false) return 'ニュースを再開すると、'
  return status?.scheduled === false ? '次に情報源を見るときに、' : 'まもなく、'
}

export const sayApproved = (status: Schedule): string => `承認しました。${whenNext(status)}順に掲載されます。`
