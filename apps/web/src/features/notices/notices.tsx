import { useQuery } from '@tanstack/react-query'
import { deferred } from '../../lib/deferred.tsx'
import { noticesQuery } from './api.ts'

const Banner = deferred(async () => (await import('./banner.tsx')).Banner, 'src/features/notices/banner.tsx')
const AwayStrip = deferred(
  async () => (await import('./away-strip.tsx')).AwayStrip,
  'src/features/notices/away-strip.tsx',
)
const PauseStrip = deferred(
  async () => (await import('./pause-strip.tsx')).PauseStrip,
  'src/features/notices/pause-strip.tsx',
)

/**
 * The notices of an outage and of a pause, and the operator's banner, on every page. Each is loaded
 * only when it is shown.
 */
export function Notices() {
  const { data } = useQuery(noticesQuery())
  return (
    <>
      {data?.partlyAway === true && <AwayStrip />}
      {data?.pause != null && <PauseStrip pause={data.pause} />}
      {data?.banner ? <Banner key={data.banner} text={data.banner} /> : null}
    </>
  )
}
