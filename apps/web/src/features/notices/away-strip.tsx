import { Seal } from '../../ui/seal.tsx'
import { Strip } from '../../ui/strip.tsx'

/** Says that a part of the threads cannot be reached. It disappears when all can be again. */
export function AwayStrip() {
  return (
    <Strip label="障害のお知らせ" role="status" tone="gold" lead={<Seal tone="gold">障害</Seal>}>
      <p>
        一部のスレッドを読み書きできません。検索の結果は少し前の内容のことがあります。復旧までしばらくお待ちください。
      </p>
    </Strip>
  )
}
