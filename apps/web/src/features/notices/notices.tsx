import { useQuery } from '@tanstack/react-query'
import { deferred } from '../../lib/deferred.tsx'
import { noticesQuery } from './api.ts'

const Banner = deferred(async () => (await import('./banner.tsx')).Banner, 'src/features/notices/banner.tsx')
const PauseStrip = deferred(
  async () => (await import('./pause-strip.tsx')).PauseStrip,
  'src/features/notices/pause-strip.tsx',
)

/**
 * Why nobody can write now, and the operator's words, on every page. Most of the time there are
 * none: then this is all of it.
 */
export function Notices() {
  const { data } = useQuery(noticesQuery())
  return (
    <>
      {data?.pause != null && <PauseStrip pause={data.pause} />}
      {data?.banner ? <Banner key={data.banner} text={data.banner} /> : null}
    </>
  )
}
