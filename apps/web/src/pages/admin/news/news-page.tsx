import { Screen } from '../../../features/admin/screen.tsx'
import { NewsDesk } from '../../../features/news-desk/news-desk.tsx'

export function NewsPage() {
  return (
    <Screen title="ニュース" lead="ほかのサイトの記事を見つけ、要約してスレッドにします。">
      <NewsDesk />
    </Screen>
  )
}
