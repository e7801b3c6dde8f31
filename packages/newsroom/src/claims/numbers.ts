/**
 * Reads the numbers of a text in every spelling: 12,000, １万２千, 一万二千, 3.5%, 2割, 令和8年, 午後2時半. Kanji
 * that only look like numbers (一部, 十分, 三重県) are ignored.
 */

/** Newspapers write 0.4% as ０・４％, and M5.8 as Ｍは５・８と; 10・11日 are two days. */
const DECIMAL_POINT =
  /(?<=\d)・(?=\d+(?:%|パーセント|ポイント|倍|度|°c|割|キロ|メートル|センチ|ミリ|トン|グラム|リットル|ヘクタール|平方|立方|兆|億|万|秒|か月|カ月|ヶ月|点|(?![\d・\p{Script=Han}カヵヶか])))/gu

/** A number with its unit. */
export interface FoundNumber {
  /** As the folded text writes it. */
  readonly written: string
  /** Its possible values, in digits: the 1 of 1~2万人 is 1 or 1万. */
  readonly values: readonly string[]
  /** The unit, in one spelling; '' for an unknown one. */
  readonly unit: string
  readonly start: number
  readonly end: number
}

export const isSame = (one: FoundNumber, other: FoundNumber): boolean =>
  one.unit === other.unit && one.values[0] === other.values[0]

/**
 * Formal digits, as documents and shrines write them. They only count within a number (伍拾億),
 * because 参 and 拾 are words too.
 */
const FORMAL: ReadonlyMap<string, string> = new Map(
  [...'壱一弐二参三肆四伍五陸六漆七捌八玖九拾十佰百仟千萬万'.matchAll(/(.)(.)/gu)].map(
    ([, formal = '', plain = '']) => [formal, plain],
  ),
)
const FORMAL_NUMERAL = new RegExp(`[${[...FORMAL.keys()].join('')}一二三四五六七八九十百千万億兆]{2,}`, 'g')

const KANJI_DIGITS = '〇一二三四五六七八九'
const SMALL = new Map(Object.entries({ 十: 10, 百: 100, 千: 1_000 }))
const BIG = new Map(Object.entries({ 万: 1e4, 億: 1e8, 兆: 1e12, 京: 1e16 }))
/** More digits than any quantity of the news has, and fewer than a number keeps. */
const PRECISION = 15

const ASCII = String.raw`(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?`
const KANJI = `[${KANJI_DIGITS}]+(?:・[${KANJI_DIGITS}]+)?`
const NUMERAL = new RegExp(
  `(?:${ASCII}|${KANJI}|[十百千](?:${KANJI})?)(?:[十百千万億兆京](?:${ASCII}|${KANJI})?)*`,
  'g',
)
const PART = new RegExp(`${ASCII}|${KANJI}|[十百千万億兆京]`, 'g')

/** Words and names that contain numerals but no quantity, as patterns. */
const NO_FIGURES_AT_START = [
  '数[十百千万億兆]+ 何[十百千万]+ 十数 幾[十百千万]+ [一1]人(?:ひとり|一人|1人|暮らし|旅) [一1]つ(?:ひとつ|一つ|1つ)? [二三四五2-5]つ目',
  '第[一二三1-3]に 第一[線人歩] 第三[者国] 第[一三13]セクター',
  '一[部方時定般緒致斉連層気種切体段転因環律挙見応覧貫括員家帯端面躍生息同言番度角線進新変報国戦口歩品]',
  '一日(?:も|でも)?早 一本化 一枚岩 一区切り 一点張 一戸建 一回り 一票の 一件(?=[がをはにでの]) 一円(?=[でにのを、。]) 一市民 一社員',
  '一人前 一級品 [一二三]次(?!会) 五分五分 八百長 百人一首 七五三 二人三脚 二度と 十分(?!間|後|前|ほど|以|で|の[一二三四五六七八九])',
  '[一1]人で(?![はも]) 三人称 二世帯 二枚目 三枚目 三位一体 四半期 九十九 [二三四六五七九十]条(?=[市駅通院大東西南北]) [四五八廿二]日市 十日町',
  '[一二三五六七八九]戸[市町] 千代 八千代 八代[市海] 二階(?=[堂氏俊派元]) 四国 三国志 二本松 四万十 八百屋 五箇山 三社祭 六本木',
  '[一1]週間 [一1]年目 十八番 百年の計 一石二鳥 二者択一 二番煎じ 二の次',
].flatMap((line) => line.split(' '))
/** They are blanked out before numbers are searched. */
const NO_FIGURES = new RegExp(
  `(?<![\\d${KANJI_DIGITS}十百千万])(?:${NO_FIGURES_AT_START.join('|')})|の[一1]人(?![ひ一0-9])`,
  'g',
)

/** Units of numbers. */
const UNITS: readonly string[] = [
  '年度 年代 日間 時間 分間 秒間 世紀 世帯 議席 打点 安打 得点 失点 カ年 種類 品目 団体 チーム 試合 大会 連勝 連敗',
  '都道府県 市町村 丁目 都市 拠点 項目 平方メートル 平方キロ 立方メートル ヘクタール ヘクトパスカル メートル リットル グラム トン キロワット',
  '豪ドル 香港ドル 台湾ドル ワット バレル ヘルツ ポイント ドル ユーロ ポンド ウォン ルーブル ルピー ページ キロ センチ ミリ 円 元 人 社 店 校 園 局 件 回 本 枚 台 機 隻',
  '棟 戸 軒 両 便 冊 通 着 頭 匹 羽 杯 食 品 曲 作 組 班 国 県 市 町 村 区 日 週 年 月 時 分 秒 倍 割 度 位 歳 代 点 票 勝 敗 戦 個 つ 種 条 項 号',
  '都 番 階 級 次 期 章 部 面 基 株 口 床 席 駅 路線 車線 箱 袋 束 滴 坪 %',
].flatMap((line) => line.split(' '))
/** Synonyms of a unit. */
const SAME_UNIT: ReadonlyMap<string, string> = new Map(
  [
    'パーセント=% 名=人 才=歳 年間=年 週間=週 店舗=店 作品=作 度目=回 両日=日 本塁打=本 発=本 ヶ年=カ年 km=キロ kg=キロ キロメートル=キロ キログラム=キロ cm=センチ センチメートル=センチ',
    '米ドル=ドル °c=度 mm=ミリ ミリメートル=ミリ hpa=ヘクトパスカル m=メートル g=グラム',
  ].flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
)
const UNIT = new RegExp(
  [
    `分の(?=[\\d${KANJI_DIGITS}])`,
    '[かカヶヵケ箇][国所月]',
    '[mg](?![a-z])',
    ...[...UNITS, ...SAME_UNIT.keys()]
      .filter((word) => word.length > 1 || !/[a-z]/.test(word))
      .toSorted((a, b) => b.length - a.length),
  ].join('|'),
  'y',
)

/** A numeral in kanji that is no word by itself and ends with its word: 賛成二十三で. */
const WHOLE_FIGURE = /^(?:[一二三四五六七八九][十百千]|[十百千][一二三四五六七八九])/
const WORD_GOES_ON = /[\p{Script=Han}々ァ-ヺー]/u
/** After these words, any numeral in kanji is a number. */
const BEFORE_FIGURE = /(?:賛成|反対|棄権|合計|およそ|約)$/
/** After a kanji numeral, these make it a number even without a unit. */
const AFTER_FIGURE = /(?:以上|以下|以内|超|余り|あまり|近く|未満|前後|対[一二三四五六七八九十])/y
/** Between two numbers that share their unit: 10~12人, 22、23日. */
const BETWEEN = /^(?:~|-|・|、|と|か|から|ないし|または|や)$/
const ERAS = new Map(Object.entries({ 明治: 1867, 大正: 1911, 昭和: 1925, 平成: 1988, 令和: 2018 }))
/** Also 平成28(2016)年 and 2016(平成28)年. */
const ERA_YEAR = new RegExp(
  `(?:\\d{4}\\()?(?<era>${[...ERAS.keys()].join('|')})(?:元|(?<year>\\d+|[${KANJI_DIGITS}十]+))(?:\\(\\d{4}\\)|\\))?(?<unit>年度?)`,
  'g',
)

/** The numbers of a text folded by `foldFacts` (text.ts). */
export function readNumbers(folded: string): FoundNumber[] {
  const plainly = folded.replace(FORMAL_NUMERAL, (numeral) => numeral.replace(/./g, (one) => FORMAL.get(one) ?? one))
  const text = plainly.replace(DECIMAL_POINT, '.').replace(NO_FIGURES, (words) => '＿'.repeat(words.length))
  const eras = readEraYears(text)
  const rest = blank(text, eras)
  const clock = [...readClockTimes(rest), ...readNoon(rest)].toSorted((a, b) => a.start - b.start)
  const plain = readPlainNumbers(blank(rest, clock)).map((found) => ({
    ...found,
    written: folded.slice(found.start, found.end),
  }))
  return [...eras, ...clock, ...plain].toSorted((a, b) => a.start - b.start)
}

/** The text with marks in place of these numbers. */
function blank(text: string, found: readonly FoundNumber[]): string {
  let result = ''
  let from = 0
  for (const { start, end } of found) {
    result += text.slice(from, start) + '＿'.repeat(end - start)
    from = end
  }
  return result + text.slice(from)
}

/** 令和8年 is 2026年. */
function readEraYears(text: string): FoundNumber[] {
  return [...text.matchAll(ERA_YEAR)].map(({ 0: written, index: start, groups }) => {
    const { era = '', year, unit = '' } = groups!
    const value = ERAS.get(era)! + (year === undefined ? 1 : evaluate(year)[0])
    return { written, values: [inDigits(value)], unit, start, end: start + written.length }
  })
}

/** 14:30 is 14時30分. */
function readClockTimes(text: string): FoundNumber[] {
  const times = text.matchAll(/(?<![\d:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])/g)
  return [...times].flatMap(({ 0: written, 1: hour = '', 2: minute = '', index: start }) => {
    const colon = start + hour.length
    const found = [{ written, ...readHour(text, start, Number(hour)), start, end: colon }]
    if (minute === '00') return found
    const minutes = { written, values: [String(Number(minute))], unit: '分', start: colon, end: start + written.length }
    return [...found, minutes]
  })
}

/** 正午 is 12時, 終日 one day, 半年 six months, and 年間 without a number is of one year. */
function readNoon(text: string): FoundNumber[] {
  return [...text.matchAll(/正午|終日|半年間?|(?<![\d一二三四五六七八九十百千数何]|カ|か)年間/g)].map(
    ({ 0: written, index }) => ({
      ...{ written, start: index, end: index + written.length },
      ...(written === '正午'
        ? { values: ['12'], unit: '時' }
        : written.startsWith('半年')
          ? { values: ['6'], unit: 'か月' }
          : { values: ['1'], unit: written === '終日' ? '日' : '年' }),
    }),
  )
}

/** With the last large multiplier of its numeral (万 and up; else 1). */
type Scaled = FoundNumber & { readonly scale: number }

function readPlainNumbers(text: string): FoundNumber[] {
  const found: Scaled[] = []
  for (const { 0: numeral, index: start } of text.matchAll(NUMERAL)) {
    // The digits of g7 and f-35 are part of a word, those of m5.8 are not.
    if (/[a-z](?:-)?$/.test(text.slice(Math.max(0, start - 2), start)) && /^\d+(?!.*\.)/.test(numeral)) continue
    const { unit, end } = readUnit(text, start + numeral.length)
    if (!/[\d万億兆]/.test(numeral) && unit === '' && !isFigure(text, start, numeral)) continue
    const [value, scale] = evaluate(numeral)
    const written = text.slice(start, end)
    // An age: 森本容疑者(34).
    const isAge = unit === '' && numeral.length <= 3 && text[start - 1] === '(' && text[end] === ')'
    const plain = { values: [inDigits(value)], unit: isAge ? '歳' : unit }
    const read = unit === '時' ? readHour(text, start, value) : unit === '割' ? readTenths(text, end, value) : plain
    found.push({ ...read, written, start, end, scale })
  }
  return shareUnits(text, found)
}

/** Whether a numeral in kanji without a unit is a number. */
function isFigure(text: string, start: number, numeral: string): boolean {
  const end = start + numeral.length
  AFTER_FIGURE.lastIndex = end
  if (AFTER_FIGURE.test(text)) return true
  if (WORD_GOES_ON.test(text[end] ?? '')) return false
  return WHOLE_FIGURE.test(numeral) || BEFORE_FIGURE.test(text.slice(Math.max(0, start - 4), start))
}

function readUnit(text: string, at: number): { unit: string; end: number } {
  UNIT.lastIndex = at
  const written = UNIT.exec(text)?.[0] ?? ''
  // 5日続けて is 5日間.
  if (written === '日' && /^(?:続|連続|にわた|がかり)/u.test(text.slice(at + 1, at + 5)))
    return { unit: '日間', end: at + 1 }
  const unit = SAME_UNIT.get(written) ?? written.replace(/^[カヶヵケ箇](?=[国所月])/, 'か')
  return { unit, end: at + written.length }
}

/**
 * The hour of the day: 午後2時 is 14時. 午前 is kept, so that 2時 in a summary does not match 14時 as 午前2時.
 */
function readHour(text: string, start: number, value: number): Pick<FoundNumber, 'values' | 'unit'> {
  const half = text.slice(Math.max(0, start - 2), start)
  const afternoon = half === '午後' && value < 12
  return { values: [inDigits(afternoon ? value + 12 : value)], unit: half === '午前' ? '午前' : '時' }
}

/** 3割5分 is 35 %. */
function readTenths(text: string, end: number, value: number): Pick<FoundNumber, 'values' | 'unit'> {
  const more = /^(\d|[一二三四五六七八九])分/.exec(text.slice(end, end + 2))
  const hundredths = more === null ? 0 : evaluate(more[1]!)[0]
  return { values: [inDigits(value * 10 + hundredths)], unit: '%' }
}

/** Copies the unit to the first number of 10~12人, and adds the possible values of 1~2万人. */
function shareUnits(text: string, found: readonly Scaled[]): FoundNumber[] {
  const shared: Scaled[] = []
  let next: Scaled | null = null
  for (const number of found.toReversed()) {
    if (next === null || number.unit !== '' || !BETWEEN.test(text.slice(number.end, next.start))) next = number
    else {
      const isPlain: boolean = number.scale === 1
      const larger: string[] = isPlain && next.scale > 1 ? [inDigits(Number(number.values[0]) * next.scale)] : []
      const values: string[] = [...number.values, ...larger]
      next = { ...number, unit: next.unit, values, scale: isPlain ? next.scale : number.scale }
    }
    shared.push(next)
  }
  return shared.toReversed()
}

/** The value of a numeral, and its last large multiplier (万 and up; else 1). */
function evaluate(numeral: string): [value: number, scale: number] {
  let total = 0
  let section = 0
  let current: number | null = null
  let scale = 1
  for (const [part] of numeral.matchAll(PART)) {
    const small = SMALL.get(part)
    const big = BIG.get(part)
    if (small !== undefined) {
      section += (current ?? 1) * small
      current = null
    } else if (big !== undefined) {
      total += (section + (current ?? 0) || 1) * big
      section = 0
      current = null
      scale = big
    } else current = Number(toAsciiDigits(part))
  }
  if (current !== null || section > 0) scale = 1
  return [total + section + (current ?? 0), scale]
}

const toAsciiDigits = (part: string): string =>
  part
    .replaceAll(',', '')
    .replace('・', '.')
    .replace(/[〇一二三四五六七八九]/g, (digit) => String(KANJI_DIGITS.indexOf(digit)))

/** A value without the errors of fractions: 1.1万 is 11000. */
const inDigits = (value: number): string => String(Number(value.toPrecision(PRECISION)))

/** Units that match any other. */
const ANY_UNIT = new Set(['', 'つ', '個'])
const keyOf = (value: string, unit: string): string => `${value} ${unit}`

/**
 * The numbers of an article, for looking up whether they include a number of its summary.
 * @param foreign values of an article in another language, whose units are not compared
 */
export function countNumbers(numbers: readonly FoundNumber[], foreign: readonly string[] | null = null) {
  const values = new Set(foreign)
  const counted = new Set<string>()
  const add = (value: string, unit: string) => {
    values.add(value)
    counted.add(keyOf(value, unit))
  }
  for (const { values: own, unit } of numbers) {
    for (const value of own) {
      add(value, unit)
      if (unit === '午前') add(value, '時')
      if (unit === '時') {
        if (Number(value) <= 12) add(value, '午前')
        else add(String(Number(value) - 12), '時')
      }
      if (unit === '時間' && value === '24') add('1', '日')
      // 84歳 is of the 80代.
      if (unit === '歳') add(`${Math.floor(Number(value) / 10)}0`, '代')
      // 2026年 may also be written as 26年, and 1955年 as 55年.
      if (unit === '年' && /^(?:19|20)\d\d$/.test(value)) add(String(Number(value.slice(2))), '年')
      if (unit === '年' && /^\d\d$/.test(value)) for (const century of ['19', '20']) add(`${century}${value}`, '年')
    }
  }
  return {
    has: ({ values: asked, unit }: FoundNumber): boolean =>
      asked.some((value) =>
        foreign !== null || ANY_UNIT.has(unit) ? values.has(value) : counted.has(keyOf(value, unit)),
      ),
  }
}
