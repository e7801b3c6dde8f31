/** What is told of something that the next run of the news does. */
import type { NewsStatus } from '@shinobi/contract/news'

type Schedule = Pick<NewsStatus, 'active' | 'scheduled'> | undefined

/** When that is. Another server, or somebody at the command line, may look where this server does not. */
export function whenNext(status: Schedule): string {
  if (status?.active === false) return 'ニュースを再開すると、'
  return status?.scheduled === false ? '次に情報源を見るときに、' : 'まもなく、'
}

export const sayApproved = (status: Schedule): string => `承認しました。${whenNext(status)}順に掲載されます。`
