import { Seal } from '../../ui/seal.tsx'

/** Where the words would be written: nobody can, and why. */
export function ClosedDock() {
  return (
    <p>
      <Seal>ロック</Seal>
      <span>このスレッドはロック（書き込み停止）されています。読むことはできますが、書き込めません。</span>
    </p>
  )
}
