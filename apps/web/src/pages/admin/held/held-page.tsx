import { Screen } from '../../../features/admin/screen.tsx'
import { HeldDesk } from '../../../features/moderation/held-desk.tsx'

/** /admin/held: posts that wait for a review. */
export function HeldPage() {
  return (
    <Screen title="確認待ち" lead="禁止語、結界、似た書き込みなどのために、まだ公開していない書き込みとスレッドです。">
      <HeldDesk />
    </Screen>
  )
}
