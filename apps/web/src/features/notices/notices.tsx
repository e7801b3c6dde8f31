import { useQuery } from '@tanstack/react-query'
import { deferred } from '../../lib/deferred.tsx'
import { noticesQuery } from './api.ts'

const Banner = deferred(async () => (await import('./banner.tsx')).Banner, 'src/features/notices/banner.tsx')

/** The operator's words, on every page. Most of the time there are none: then this is all of it. */
export function Notices() {
  const text = useQuery(noticesQuery()).data?.banner
  return text ? <Banner key={text} text={text} /> : null
}
