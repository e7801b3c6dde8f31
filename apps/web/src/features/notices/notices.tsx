import { useQuery } from '@tanstack/react-query'
import { deferred } from '../../lib/deferred.tsx'
import { noticesQuery } from './api.ts'

const Banner = deferred(async () => (await import('./banner.tsx')).Banner, 'src/features/notices/banner.tsx')
const PauseStrip = deferred(
  async () => (await import('./pause-strip.tsx')).PauseStrip,
  'src/features/notices/pause-strip.tsx',
)

/**
 * The notice of a pause and the operator's banner, on every page. Both are loaded only when there
 * are any.
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
