/**
 * Extracts the article from the HTML of a page. It runs in the worker of extract.ts, because a page
 * may keep it busy for long.
 */
import { Readability } from '@mozilla/readability'
import type { ArticleDocument } from '../documents.ts'
import { NewsRefusal } from '../news-refusal.ts'
import type { PageSource } from './extract.ts'
import { isElement, removeEach, TEXT, type Page, type PageElement, type PageNode } from './dom.ts'
import { cutMachineTalk, speaksToMachine } from './machine-talk.ts'
import { readFacts } from './page-facts.ts'
import { parsePage } from './parse-page.ts'
import { oneLine, plainLine, withoutMarkup } from './plain-text.ts'
import { removeUnseen } from './visibility.ts'
import { findWall, isAdvert } from './walls.ts'

/** Maximum characters of an article: a long newspaper feature. */
const TEXT_MAX = 20_000
/** Maximum characters of a page, including the white space of its source. */
const PAGE_TEXT_MAX = 600_000
/**
 * A shorter Japanese text cannot be summarised. Other scripts need about three letters for one
 * Japanese character.
 */
const TEXT_MIN = 80
const LETTERS_PER_JAPANESE = 3
/** Length of a title made of the text, for a page without one. */
const TITLE_OF_TEXT = 60

/** Elements around the article. */
const FURNITURE_TAGS: ReadonlySet<string> = new Set(
  'nav aside footer button select input textarea label fieldset figcaption menu rt rp'.split(' '),
)
const FURNITURE_ROLES =
  /^(?:navigation|complementary|contentinfo|search|banner|dialog|alertdialog|menu|menubar|toolbar)$/i
const FURNITURE_NAME =
  /(?:^|[\s_-])(?:related|recommend(?:ed|ation)?s?|ranking|share|sharing|sns|social|caption|credit|copyright|breadcrumbs?|topicpath|pagination|pager|paging|tag-?list|adver\w*|ads?|adsense|sponsor(?:ed)?|promo\w*|newsletter|subscri\w+|cookie\w*|consent|gdpr|cmp|paywall|comments?|sidebar|toolbar|outbrain|taboola|byline|author-?box|profile|modal|popup|banner)(?=$|[\s_-])/i
/**
 * An element with at least this share of the page's text holds the article, whatever its name is.
 * So does a form: pages of ASP.NET stand in one.
 */
const ARTICLE_SHARE = 0.4

function isFurniture(element: PageElement, textLength: number): boolean {
  if (FURNITURE_TAGS.has(element.localName)) return true
  if (FURNITURE_ROLES.test(element.getAttribute('role') ?? '')) return true
  const name = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  const looksSo = element.localName === 'form' || FURNITURE_NAME.test(name)
  return looksSo && element.textContent.length < textLength * ARTICLE_SHARE
}

/** A cell with a sentence, or of this length, belongs to a table that lays out text. */
const PROSE_CELL = 40

/** Removes tables of figures and results, whose cells would become loose lines. */
function removeFigures(page: Page): void {
  for (const table of page.querySelectorAll('table')) {
    const cells = [...table.querySelectorAll('td, th')].map((cell) => cell.textContent.trim())
    if (!cells.some((cell) => cell.length >= PROSE_CELL || cell.endsWith('。'))) table.remove()
  }
}

/**
 * Keeps the first of several articles: endless pages append others below it, and fronts list many.
 */
function keepFirstArticle(page: Page): void {
  const nested = new Set(page.querySelectorAll('article article'))
  const articles = [...page.querySelectorAll('article')].filter((article) => !nested.has(article))
  const own = articles.find((article) => article.querySelector('h1') !== null) ?? articles[0]
  if (own === undefined || weigh(oneLine(own.textContent)) < TEXT_MIN) return
  for (const other of articles) if (other !== own) other.remove()
}

function removeFurniture(page: Page): void {
  const textLength = page.body.textContent.length
  if (textLength > PAGE_TEXT_MAX) throw new NewsRefusal('too_large', 'the page has too much text')
  const isSuch = (node: PageNode): boolean => isElement(node) && isFurniture(node, textLength)
  removeEach(page.body, isSuch, (node) => node.remove())
}

const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rb ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

interface Line {
  readonly text: string
  /** Characters within links. */
  readonly linked: number
}

/** The text of an element, line by line as a reader sees it. */
function readLines(root: PageElement): Line[] {
  const lines: Line[] = []
  let text = ''
  let linked = 0
  function endLine(): void {
    const plain = oneLine(text)
    if (plain !== '') lines.push({ text: plain, linked })
    text = ''
    linked = 0
  }
  // Recursion is safe: parse-page.ts limits the depth of pages.
  function read(node: PageNode, inLink: boolean): void {
    if (node.nodeType === TEXT) {
      text += node.textContent
      if (inLink) linked += oneLine(node.textContent).length
      return
    }
    if (!isElement(node)) return
    const block = !INLINE.has(node.localName)
    if (block) endLine()
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      read(child, inLink || node.localName === 'a')
    }
    if (block) endLine()
  }
  read(root, false)
  endLine()
  return lines
}

/** Lines that stand where a page keeps the rest of its article for others. */
const PAYWALL_LINES = [
  'この(?:記事|コンテンツ)は、?(?:有料|会員限定)[^。]{0,40}。?.{0,40}',
  '.{0,10}残り\\s*[\\d,]+\\s*文字.{0,40}',
  '(?:ここから先|この続き|続き)は[^。]{0,30}(?:会員|有料|ログイン|登録|こちら|電子版|デジタル版|アプリ)[^。]{0,40}。?',
]

/**
 * Furniture between the paragraphs of articles. The patterns match whole lines, so that sentences
 * with such words stay.
 */
const FURNITURE_LINES = [
  ...PAYWALL_LINES,
  '(?:[■▼▽●◆▶【＜<]\\s*)?(?:関連(?:記事|ニュース|リンク|キーワード|トピックス?)|あわせて読みたい|合わせて読みたい|おすすめ(?:の)?記事|こちらもおすすめ|人気記事|アクセスランキング|最新(?:記事|ニュース)|注目(?:記事|ニュース))(?:[】＞>:：].{0,80}|一覧)?',
  '(?:【?PR】?|広告|スポンサーリンク|スポンサードリンク|advertisement)',
  '(?:続きを(?:読む|見る)|もっと(?:見る|読む)|記事全文を読む|全文を読む|(?:次|前)のページ(?:へ|[:：].{0,60})?|ページトップへ?(?:戻る)?|トップへ戻る)',
  '(?:シェア|ツイート|ポスト|共有|印刷|保存|ブックマーク|コピー|リンクをコピー)(?:する|ボタン)?',
  'この記事を(?:シェア|ツイート|ポスト|共有|印刷|保存|ブックマーク)[^。]{0,30}',
  '[（(［【]?(?:写真|画像|イラスト|図表?|グラフ|動画|映像|提供|撮影|資料写真)(?:提供|撮影)?(?:[:：＝=／/][^。]{0,80}|[）)］】])',
  '[^。]{0,60}[＝=](?:共同|時事|ロイター|AP|AFP|[^。]{0,20}(?:撮影|提供))[）)]?',
  '(?:有料|会員限定)(?:会員)?(?:限定)?(?:記事|コンテンツ)(?:です)?。?',
  '[^。]{0,20}(?:会員登録|ログイン)(?:は|して|する|すると|が必要|いただ)[^。]{0,40}(?:こちら|ください|下さい|読め|お読み|ご覧|できます|です)[^。]{0,20}。?',
  '[^。]{0,10}(?:当|本|この|当社の)(?:ウェブ)?サイト[^。]{0,20}(?:Cookie|クッキー).{0,160}',
  '(?:Cookie|クッキー)[^。]{0,40}(?:同意(?:する|します|いただ)|ポリシー|設定を(?:変更|管理))[^。]{0,60}。?',
  '(?:©|\\(c\\)|Copyright).{0,100}',
  '[^。]{0,40}(?:無断)?(?:転載|複製)[^。]{0,20}(?:禁じ|禁止|お断り)[^。]{0,20}。?',
].map((source) => new RegExp(`^(?:${source})$`, 'iu'))

const PAYWALL = new RegExp(`^(?:${PAYWALL_LINES.join('|')})$`, 'u')

/** A line with this share of links belongs to a list of other articles. */
const LINKED_SHARE = 0.8
const isOfArticle = ({ text, linked }: Line): boolean =>
  !(linked >= text.length * LINKED_SHARE && !text.endsWith('。')) &&
  !FURNITURE_LINES.some((furniture) => furniture.test(text))

/** Cuts to a number of characters, at the end of a sentence if possible. */
function shorten(text: string): string {
  if (text.length <= TEXT_MAX) return text
  const cut = text.slice(0, TEXT_MAX)
  const end = Math.max(cut.lastIndexOf('。'), cut.lastIndexOf('\n'), cut.lastIndexOf('. '))
  return (end > TEXT_MAX / 2 ? cut.slice(0, end + 1) : cut).toWellFormed().trimEnd()
}

const isSame = (a: string, b: string): boolean => a.replace(/\s+/g, '') === b.replace(/\s+/g, '')

/** Joins the paragraphs, without a repeated title at the top. */
const joinLines = (lines: readonly Line[], title: string): string =>
  shorten(
    lines
      .filter((line, index) => isOfArticle(line) && !(index < 3 && isSame(line.text, title)))
      .map(({ text }) => text)
      .join('\n'),
  )

/** The length of a text, converted to Japanese characters. */
function weigh(text: string): number {
  const japanese = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return japanese + Math.max(0, letters - japanese) / LETTERS_PER_JAPANESE
}

/** Elements that pages mark as the article. */
const MARKED = ['[itemprop~=articleBody]', '[itemprop~=text]', 'article', 'main', '[role=main]']

function readMarked(page: Page): Line[] {
  for (const selector of MARKED) {
    const [element, ...others] = page.querySelectorAll(selector)
    if (element !== undefined && others.length === 0) return readLines(element)
  }
  return []
}

/** Ordinary pages keep a tenth of this many elements; Readability takes seconds for more. */
const READABLE_MAX = 8_000

function readReadable(page: Page): Line[] {
  const elements = [...page.querySelectorAll('*')]
  if (elements.length > READABLE_MAX) return []
  // visibility.ts has evaluated the styles. Readability would parse them again, in a time that
  // grows with the square of their length.
  for (const element of elements) element.removeAttribute('style')
  const readability = new Readability<PageElement>(page, {
    disableJSONLD: true,
    // Half of the default, because a Japanese character says more.
    charThreshold: 250,
    serializer: (element: PageElement) => element,
  })
  const content = readability.parse()?.content
  return content === null || content === undefined ? [] : readLines(content)
}

/**
 * The text of the article. Elements that the page marks are read first, because Readability
 * rearranges the page.
 */
function readText(page: Page, title: string, linkedBody: string | null): string {
  const marked = joinLines(readMarked(page), title)
  const readable = joinLines(readReadable(page), title)
  const seen = weigh(readable) < TEXT_MIN ? marked : readable
  // A page that a script builds has its text in linked data.
  return weigh(seen) < TEXT_MIN && linkedBody !== null ? joinLines(linesOf(linkedBody), title) : seen
}

const linesOf = (text: string): Line[] =>
  text
    .split(/\n|<\/(?:p|div|h\d|li)>|<br\s{0,9}\/?>/iu)
    .map((line) => ({ text: withoutMarkup(line), linked: 0 }))
    .filter((line) => line.text !== '')

/**
 * The article of a page. Refuses pages that opt out (opt_out) and pages without enough text
 * (no_text).
 */
export function readPage({ text: html, url, allowsPicture }: PageSource, now: number): ArticleDocument {
  const page = parsePage(html)
  const { titles, linkedBody, ...facts } = readFacts(page, url, now)
  const hidden = cutMachineTalk(removeUnseen(page).split('\n').map(oneLine).join('\n')).suspicious
  // What readers would pay for is not taken from linked data.
  const isWhole = linkedBody === null || !readLines(page.body).some(({ text }) => PAYWALL.test(text))
  keepFirstArticle(page)
  removeFigures(page)
  if (isAdvert(readMarked(page).map(({ text }) => text))) throw new NewsRefusal('no_article')
  removeFurniture(page)
  const title = titles.find((candidate) => !speaksToMachine(candidate))
  const { text, suspicious } = cutMachineTalk(readText(page, title ?? '', isWhole ? linkedBody : null))
  const wall = findWall(title ?? '', text)
  if (wall !== null) throw new NewsRefusal(wall)
  if (weigh(text) < TEXT_MIN) throw new NewsRefusal('no_text')
  return {
    ...facts,
    imageUrl: allowsPicture ? facts.imageUrl : null,
    url,
    title: title ?? plainLine(text, TITLE_OF_TEXT),
    site: facts.site !== null && speaksToMachine(facts.site) ? null : facts.site,
    text,
    suspicious: [...new Set([...titles.filter(speaksToMachine), ...suspicious, ...hidden])],
  }
}
