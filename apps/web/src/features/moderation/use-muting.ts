import type { CaseReport, ModerationCase } from '@shinobi/contract/moderation'
import { wordsOf } from '../../lib/use-request.ts'
import { muteReporter } from './api.ts'
import type { Desk } from './use-desk.ts'

/** The number of digit keys. */
const CHOICES_MAX = 9

/**
 * Muting reporters: those of the current case, with functions that mute one of them and undo that.
 */
export function useMuting(front: ModerationCase | undefined, tell: Desk<ModerationCase>['tell'], onMuted: () => void) {
  const mute = ({ _id, reporter: { handle, muted } }: CaseReport) => {
    if (front === undefined) return
    muteReporter(front.thread._id, _id, !muted).then(
      () => {
        tell(muted ? `${handle}の除外を解きました。` : `${handle}の通報を30日のあいだ数えません。`)
        onMuted()
      },
      (error: unknown) => tell(wordsOf(error), 'error'),
    )
  }
  const reports = (front?.reports ?? []).slice(0, CHOICES_MAX)
  return {
    mute,
    choices: reports.map(({ _id, reporter: { handle, muted } }) => ({
      key: _id,
      label: muted ? `${handle}（除外を解く）` : handle,
    })),
    choose: (key: string) => {
      const report = reports.find(({ _id }) => _id === key)
      if (report !== undefined) mute(report)
    },
  }
}
