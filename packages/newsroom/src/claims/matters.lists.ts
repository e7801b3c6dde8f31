/**
 * Matters of which a claim may speak only where its evidence does: superlatives, and grave matters,
 * which do harm when they are false.
 */

export interface Matter {
  /** The words of a claim that state it. */
  readonly said: RegExp
  /** A text that matches bears it out. */
  readonly borne: RegExp
}

/** The words of a text that state matters which its evidence does not bear out. */
export const findUnborne = (matters: readonly Matter[], text: string, evidence: string): string[] =>
  matters.flatMap(({ said, borne }) => (borne.test(evidence) ? [] : (text.match(said) ?? [])))

/** The first, the most, the only one. */
export const SUPERLATIVES: readonly Matter[] = [
  {
    // 最大200万円 is a limit, 最初 and 最近 are times.
    said: /最も|もっとも(?!らし)|最(?:大(?!で?[\d一二三四五六七八九十百千万約])|小|高(?![裁検経])|低(?!限)|多|少(?!年)|悪|良|長|短|年少|年長|古|強|速|重要|有力)|史上|過去[一1]番|[世日]界?[一1]の|世界一|日本一|首位|トップ(?=[のにで、。とを]|$)/gu,
    borne:
      /最も|もっとも|最(?!初|近|後|新|中|終|寄)|一番|1番|世界一|日本一|首位|トップ|1位|record|most|highest|lowest|largest|biggest|best|worst|top|leading|longest|shortest|fewest|smallest/u,
  },
  {
    said: /(?<!最)初(?:めて|の(?!め)|となる|優勝|受賞|公開)|史上初/gu,
    borne: /初|はじめて|first|never before|debut|maiden/u,
  },
  { said: /唯一/gu, borne: /唯一|だけ|only|sole/u },
]

/** Grave matters: said, and other words for it, as parts of regular expressions. */
const WORDS: readonly (readonly [said: string, others: string])[] = [
  [
    '死 亡くな 命を落と 命を失 命を奪 遺体 逝去 訃報 享年 犠牲者 心肺停止',
    '犠牲 遺族 葬儀 追悼 故人 他界 殺 絶命 亡き (?<![水沈埋])没[しす]',
  ],
  ['自殺 自死 自ら命', '命を絶'],
  ['(?<!自)殺', '刺[さしす] 撃[たちっつ] 射[殺撃] 銃撃 手にかけ 命を奪 暴行 絞め'],
  ['重傷 重体 重症 意識不明', '大けが 重いけが 骨折 骨を折 意識がな 意識を失 危篤'],
  [
    '負傷 (?<![だ受])けが(?=[をしすの人はで、。]|$) 大けが 怪我 軽傷 死傷',
    '(?<![だ受])けが ケガ 重傷 重体 骨折 骨を折 打撲 やけど 捻挫 搬送 手当て 傷 殴',
  ],
  ['行方不明 失踪 遭難', '安否 連絡が取れ 行方 不明 救助 捜索 戻らな'],
  ['誘拐 拉致 監禁 人質', '連れ去 さらわ 身代金 閉じ込め 拘束'],
  ['逮捕 捕まっ 捕まり', '捕ま 捕らえ 取り押さえ 現行犯 身柄'],
  ['拘束 身柄 勾留 拘留 収監', '逮捕 留置 捕ま 収容 連行 人質 拉致 拘置'],
  ['(?<!不)起訴', '公判 被告 罪に問 訴追 初公判'],
  ['不起訴', '起訴猶予 起訴しな 嫌疑不十分 起訴を見送'],
  ['容疑 疑い 疑惑 嫌疑 疑われ', '疑[うえっ] 逮捕 起訴 捜査 とみて 恐れ おそれ 可能性 指摘 不審 関与'],
  ['横領 着服', '流用 使い込 私的に 不正'],
  ['収賄 贈賄 贈収賄 賄賂 汚職', '見返り 金品 便宜 裏金 買収 利益供与'],
  ['詐欺 詐取 だまし取 だまされ', 'だま 欺 偽 なりすま うそ'],
  ['窃盗 盗難 万引き 強盗 略奪 ひったくり 盗ま 盗み 盗ん 盗っ', '盗 奪 押し入 空き巣 持ち去 侵入'],
  [
    '暴行 暴力(?!団) 殴[らりるっ] 襲撃 襲わ 襲っ 傷害',
    '殴 蹴 襲 傷害 乱暴 手を上げ 暴れ けが 傷 刺 体罰 切りつけ 攻撃 殺',
  ],
  ['刺さ 刺し 刺傷 切りつけ', '刺[さしす] 切りつけ 刃物 包丁 ナイフ 傷'],
  ['発砲 銃撃 銃殺 射殺 撃たれ', '銃 撃[たちっつ] 発射'],
  [
    '性的(?!少数|マイノリティ|指向) わいせつ 強姦 性加害 性暴力 性被害 レイプ 痴漢 盗撮 買春 売春 不同意 淫行',
    '性(?:的|加害|暴力|被害|犯罪|行為|交) 下着 体を触 のぞき セクハラ',
  ],
  ['虐待 ネグレクト', '暴行 暴力 折檻 体罰 放置 置き去り 世話をせ'],
  ['犯罪 犯行 共犯 犯人', '罪 犯 事件 逮捕 詐欺 容疑 被告'],
  ['覚醒剤 覚せい剤 大麻 麻薬 薬物', 'コカイン ヘロイン MDMA mdma 乾燥大麻 違法薬'],
  ['飲酒運転 酒気帯び 酒酔い ひき逃げ 当て逃げ 無免許', '飲酒 酒を飲 アルコール 逃げ 逃走 走り去 免許'],
  ['(?<!無)有罪 懲役 禁錮 拘禁刑 実刑 執行猶予 死刑 終身刑', '罪を認め 罰金 服役 受刑 刑を言い渡'],
  ['無罪', '罪に問わな 罪に問えな 潔白 犯罪の証明がな'],
  [
    '感染(?!症の?(?:対策|研究|予防))',
    '流行 罹患 り患 発症 患者 ウイルス ウィルス うつ[るっさ] コロナ インフル 陽性 クラスター 菌 病気',
  ],
  ['がん(?=[でのにを、。と患]|$) 癌 白血病 腫瘍', 'がん 悪性 闘病'],
  ['梗塞 脳卒中 脳出血', '脳 心臓 心不全'],
  ['認知症 うつ病 肺炎', '病気 持病 病名'],
  ['倒れ', '倒 転 崩 意識'],
  ['入院 手術', '入院 手術 病院 治療 療養 搬送 退院'],
  ['書類送検 送検', '逮捕 検察 地検'],
  ['脱税 裏金', '申告 追徴 国税 所得隠し 不記載 記載せ 還流 簿外'],
  ['辞任 辞職 解任 罷免 更迭', '辞[めし任職意表] 退任 退陣 退く 職を解 交代 罷免'],
  ['経営破綻 倒産 破産', '破綻 破産 倒産 民事再生 更生法 債務'],
  ['食中毒 集団中毒', '嘔吐 下痢 ノロ O157 o157 腹痛 菌'],
]

const words = (line: string): string => line.split(' ').join('|')

export const GRAVE_MATTERS: readonly Matter[] = WORDS.map(([said, others]) => ({
  said: new RegExp(words(said), 'gu'),
  borne: new RegExp(`${words(said)}|${words(others)}`, 'gu'),
}))

/** Words that contain such a part but are not grave. */
export const NOT_GRAVE = new RegExp(
  words(
    '殺到 殺虫 殺菌 相殺 殺風景 忙殺 悩殺 殺陣 必死 死守 死角 死闘 死球 死語 不死 起死回生 死力 死に物狂い 決死 死票 不正確 ' +
      '疑いな[くい] 疑いようが?な 疑いの余地 拘束力 拘束時間 一時停止 無事故 再発防止 不死鳥 傷つ 中止符 反対語 感染研',
  ),
  'g',
)
