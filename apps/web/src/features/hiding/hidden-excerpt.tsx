import type { Hidden } from './matcher.ts'
import { whyHidden } from './why-hidden.ts'

/** In place of an excerpt of a hidden post. */
export const HiddenExcerpt = ({ hidden }: { hidden: Hidden }) => <span>あぼーん（NG：{whyHidden(hidden)}）</span>
