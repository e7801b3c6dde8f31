import { Spinner } from '../../ui/spinner.tsx'

/** The browser is computing the proof of work (with-proof.ts). */
export const Proving = ({ className }: { className: string | undefined }) => (
  <p className={className} role="status">
    <Spinner size="sm" />
    書き込みの前に自動の確認をしています…
  </p>
)
