import { Notice } from '../../ui/notice.tsx'

/** Above a thread that is shown as the browser kept it. */
export const OldNotice = () => (
  <Notice tone="info">いまはサーバーに確かめられません。このブラウザに残した書き込みを表示しています。</Notice>
)
