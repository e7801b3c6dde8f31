import { useQuery } from '@tanstack/react-query'
import { deferred } from '../../lib/deferred.tsx'
import { noticesQuery } from '../notices/api.ts'

const ShieldStrip = deferred(
  async () => (await import('./shield-strip.tsx')).ShieldStrip,
  'src/features/shields/shield-strip.tsx',
)

/** 結界: shown in the shielded category (by name) and its threads. */
export function ShieldNotice({ category }: { category: string }) {
  const { data } = useQuery(noticesQuery())
  const shield = data?.shields.find((one) => one.category === category)
  return shield === undefined || shield.step === 0 ? null : <ShieldStrip step={shield.step} />
}
