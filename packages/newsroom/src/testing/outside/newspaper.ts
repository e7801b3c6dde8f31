/**
 * A newspaper for tests: a publisher with a dozen articles on different matters, and feeds of all
 * four kinds that list them.
 */
import { startPublisher, type Charset, type Publisher } from './publishers.ts'

/** An event, as a reporter describes it. */
export interface Matter {
  readonly slug: string
  readonly title: string
  readonly paragraphs: readonly string[]
}

/** An article of a list. */
export interface Listed {
  readonly name: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Lines that begin with + or -: what may be said of it, and what may not. */
  readonly claims: readonly string[]
}

/** The articles of a list: `# name`, the title, paragraphs and claims, one a line. */
export const readList = (list: string): Listed[] =>
  list
    .trim()
    .split('\n\n')
    .map((article) => {
      const [name = '', title = '', ...lines] = article.split('\n')
      const isClaim = (line: string): boolean => /^[+-] /.test(line)
      const paragraphs = lines.filter((line) => !isClaim(line))
      return { name: name.slice('# '.length), title, paragraphs, claims: lines.filter(isClaim) }
    })

/** Matters that have nothing in common. */
export const MATTERS: readonly Matter[] = readList(`
# library
中央図書館、来年4月から夜10時まで開館へ
市は10日、中央図書館の開館時間を来年4月から午後10時まで延ばすと発表した。これまでは午後7時に閉まっていた。
仕事帰りに本を借りたいという声が利用者への調査で多かったという。調査には2300人が答え、6割が延長を望んでいた。
増える人件費は年間3千万円と見込まれる。市の担当者は「子どもから大人まで使える場所にしたい」と話した。

# ferry
離島航路に電気フェリー就航、波の静かな湾で試運転
瀬戸内の島々を結ぶ航路に、電池だけで動く新しいフェリーが加わった。全長は40メートルで、車12台を運べる。
充電は港に着くたびに20分ほどで終わる。船長は「揺れと音がとても少ない」と乗り心地を語った。
運航会社は軽油の値上がりに悩んできた。今後5年で残る3隻も置き換える計画だ。

# comet
明け方の東の空に彗星、肉眼でも見える明るさに
国立の天文台は、先月見つかった彗星が今週末に最も明るくなると予測した。日の出の1時間前、東の低い空に現れる。
尾の長さは満月の直径の8倍に達する見通しという。街の灯りが少ない高台からなら双眼鏡なしでも楽しめる。
次に太陽へ近づくのは約900年後とみられている。観測した会員は「一生に一度の眺め」と声を弾ませた。

# tea
新茶の初取引、最高値は1キロ当たり198万円
静岡の茶市場で新茶の初めての取引があり、手もみの茶葉に過去最高の値段が付いた。早朝から生産者や問屋がそろばんをはじいた。
冬の寒さで芽の伸びが遅れ、量は例年の7割にとどまる。一方で香りは近年にない出来ばえだという。
海外では抹茶の人気が続いている。組合は畑の一部を碾茶に切り替え、輸出を増やす考えだ。

# rugby
高校ラグビー、北の雄が14年ぶりの決勝進出
全国高校ラグビー大会は準決勝2試合があり、雪国の伝統校が終了間際の逆転トライで勝ち上がった。得点は24対22だった。
主将は前半に足を痛めながら最後までスクラムを支えた。監督は「三年間の走り込みが実を結んだ」とたたえた。
決勝は11日に行われる。相手は大会4連覇を狙う西の強豪である。

# bear
住宅地にクマ、小学校は保護者の送迎に切り替え
山あいの町で朝、民家の柿の木に体長1.2メートルほどのクマが登っているのを新聞配達員が見つけた。けが人は出ていない。
警察と猟友会が爆竹で山へ追い返したものの、昼過ぎに再び足跡が見つかった。町は防災無線で外出を控えるよう呼びかけている。
今年はドングリが不作で、目撃は昨年の3倍に増えた。専門家は早めの収穫が最も効く対策だと説明する。

# chip
半導体工場の建設が始まる、地元は交通渋滞を心配
国内の電機大手が九州で新しい半導体工場の起工式を開いた。投資額は8600億円で、2029年の量産開始を目指す。
働く人は1700人に上り、周辺では賃貸住宅の家賃が上がり始めた。通勤の車で橋が混むことへの不安も根強い。
県は新たな道路の整備費を補正予算に盛り込む。知事は会見で住民への説明を重ねる姿勢を示した。

# violin
蔵に眠っていたバイオリン、明治の国産と判明
古い造り酒屋の蔵で見つかった弦楽器が、国産では最も古い部類に入ると大学の研究班が明らかにした。胴の内側に墨で職人の名があった。
板の年輪を調べたところ、木は1880年ごろに切られたものと分かった。ニスには漆が混ぜられていた。
修復には半年をかけた。来月の演奏会では地元の中学生が童謡を披露する。

# flu
インフルエンザ流行入り、例年より5週早く
感染症の研究機関は全国で流行期に入ったと公表した。一つの医療機関当たりの患者は1.42人で、目安を超えた。
学級閉鎖は既に130校を数え、幼い子の入院が目立つ。ワクチンの効き目が出るまでには2週間かかる。
医師会は高齢者に早めの接種を勧めている。薬局では解熱剤の品薄が続く。

# rail
赤字の山岳鉄道、バスと直通する切符で客足が回復
第三セクターの鉄道が、駅から登山口までの路線バスにそのまま乗れる共通券を売り出して1年がたった。利用は前の年より34%多い。
窓口に並ばずスマートフォンで買える点が若い旅行者に受けた。車内では沿線の農家が干し芋や漬物を売る。
社長は廃線の話をいったん脇に置けるようになったと胸をなで下ろす。ただトンネルの補修費は重いままだ。

# coral
サンゴの白化が回復傾向、海水温の低下が追い風
環境を調べる団体は、南西諸島の礁湖で白くなったサンゴの半分近くに色が戻ったとする報告をまとめた。調査は42地点で潜水して行った。
夏の終わりに台風が三つ続けて通り、海の表面をかき混ぜたことが幸いした。水温は平年並みの27度まで下がった。
研究者は再び暑い夏が来れば元に戻りかねないと慎重だ。漁協は網を入れない区域を広げる。

# manga
漫画の原画3千点を無償公開、出版社が電子保存
老舗の出版社が、昭和の少女漫画の原画を高精細で読み取りインターネットで公開した。紙の傷みが進み、失われる恐れがあった。
鉛筆の下書きや編集者の赤字まで拡大して眺められる。作者の遺族からは感謝の手紙が届いたという。
閲覧に登録は要らない。美術館は展示の準備に役立てる方針だ。
`).map(({ name, title, paragraphs }) => ({ slug: name, title, paragraphs }))

/** An article in a feed. */
export interface Item {
  readonly url: string
  readonly title: string
  readonly at: Date | null
}

export type FeedKind = 'rss' | 'atom' | 'rdf' | 'json'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** What opens and closes a feed in XML, and its entries: their dates may be missing. */
const XML_FEEDS: Readonly<
  Record<Exclude<FeedKind, 'json'>, readonly [string, string, (title: string, url: string, at: Date | null) => string]>
> = {
  rss: [
    '<rss version="2.0"><channel><title>新着</title><link>http://example.jp/</link><description>-</description>',
    '</channel></rss>',
    (title, url, at) => `<item><title>${title}</title><link>${url}</link>${tag('pubDate', at?.toUTCString())}</item>`,
  ],
  atom: [
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>新着</title><id>urn:1</id><updated>2026-11-21T00:00:00Z</updated>',
    '</feed>',
    (title, url, at) =>
      `<entry><title>${title}</title><id>${url}</id><link href="${url}"/>${['published', 'updated'].map((name) => tag(name, at?.toISOString())).join('')}</entry>`,
  ],
  rdf: [
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://example.jp/"><title>新着</title><link>http://example.jp/</link><description>-</description></channel>',
    '</rdf:RDF>',
    (title, url, at) =>
      `<item rdf:about="${url}"><title>${title}</title><link>${url}</link>${tag('dc:date', at?.toISOString())}</item>`,
  ],
}

const tag = (name: string, text = ''): string => (text === '' ? '' : `<${name}>${text}</${name}>`)

/** A feed of a kind, newest article first. */
export function feedOf(kind: FeedKind, items: readonly Item[], charset: Charset = 'utf-8'): string {
  if (kind === 'json') {
    const listed = items.map(({ url, title, at }) => ({ id: url, url, title, date_published: at?.toISOString() }))
    return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: '新着', items: listed })
  }
  const [opening, closing, entryOf] = XML_FEEDS[kind]
  const entries = items.map(({ url, title, at }) => entryOf(escape(title), escape(url), at)).join('')
  return `<?xml version="1.0" encoding="${charset}"?>\n${opening}${entries}${closing}`
}

/** How an article's page differs from the default. */
export interface PageFields {
  readonly head?: string
  readonly charset?: Charset
}

/** The page of an article, with the furniture of a newspaper's site. */
export const pageOf = (
  { title, paragraphs }: Omit<Matter, 'slug'>,
  { head = '', charset = 'utf-8' }: PageFields = {},
): string => `<!doctype html>
<html lang="ja"><head><meta charset="${charset}"><title>${escape(title)} | 忍日報</title><meta property="og:title" content="${escape(title)}">${head}</head>
<body><header><nav><a href="/">トップ</a> <a href="/sports">スポーツ</a></nav></header>
<main><article><h1>${escape(title)}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}</article></main>
<footer><a href="/company">会社案内</a></footer></body></html>`

/** A newspaper's site. */
export interface Newspaper extends Publisher {
  /** Publishes the page of a matter. @returns its address */
  print(matter: Matter, fields?: PageFields): string
  /** Publishes a feed with these matters, newest first, ten minutes apart. @returns its address */
  announce(path: string, matters: readonly Matter[], fields: FeedFields): string
}

export interface FeedFields {
  /** When the newest one was published; null for a feed without times. */
  readonly newest: number | null
  readonly kind?: FeedKind
  readonly charset?: Charset
  readonly etag?: string
}

const BETWEEN_MS = 600_000

export async function startNewspaper(): Promise<Newspaper> {
  const publisher = await startPublisher()
  const addressOf = ({ slug }: Matter): string => `${publisher.url}/articles/${slug}`
  return {
    ...publisher,
    get mostAtOnce() {
      return publisher.mostAtOnce
    },
    print(told, fields = {}) {
      publisher.set(`/articles/${told.slug}`, { body: pageOf(told, fields), charset: fields.charset ?? 'utf-8' })
      return addressOf(told)
    },
    announce(path, matters, { newest, kind = 'rss', charset = 'utf-8', etag }) {
      const items = matters.map((told, index) => ({
        ...{ url: addressOf(told), title: told.title },
        at: newest === null ? null : new Date(newest - index * BETWEEN_MS),
      }))
      publisher.set(path, { body: feedOf(kind, items, charset), charset, ...(etag === undefined ? {} : { etag }) })
      return `${publisher.url}${path}`
    },
  }
}
