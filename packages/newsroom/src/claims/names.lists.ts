/**
 * Synonyms of names, and words that stand beside names. All in lower case.
 */

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))

/**
 * Names that a summary may replace by another of their group. Names after a | count in the article
 * only, because alone they are too short, too vague or of another language; _ is a space, ;
 * separates the groups.
 */
const SAME_NAMES: readonly string[] = [
  // Countries and regions
  '日本人|邦人 japanese; 米国 アメリカ|米 united_states u.s america',
  '英国 イギリス|英 britain british united_kingdom u.k; フランス|仏 france french',
  'ドイツ|日独 独政府 独首相 独大統領 独連邦 独誌 独紙 german; イタリア|日伊 伊政府 伊首相 ital',
  'スペイン|spain spanish; ロシア|日ロ 米ロ 対ロ 中ロ ロ軍 ロ政府 ロ外相 ロ大統領 露 russia',
  '中国|日中 米中 対中 訪中 中韓 中台 中ロ 中国 china chinese; 韓国|韓 south_korea',
  '北朝鮮|日朝 米朝 南北 朝鮮 north_korea; 台湾|日台 中台 米台 taiwan; 香港|hong_kong',
  'インド|日印 印政府 印首相 india; パキスタン|pakistan; バングラデシュ|bangladesh; スリランカ|sri_lanka',
  'ネパール|nepal; ミャンマー|myanmar; タイ|thai; ベトナム|越 vietnam; カンボジア|cambodia; ラオス|laos',
  'マレーシア|malaysia; シンガポール|singapore; インドネシア|indonesia',
  'フィリピン|日比 比大統領 比政府 philippin filipino; オーストラリア 豪州|豪 australia',
  'ニュージーランド|new_zealand; カナダ|canad; メキシコ|mexic; ブラジル|brazil; アルゼンチン|argentin; チリ|chile',
  'ペルー|peru; コロンビア|colombia; ベネズエラ|venezuela; キューバ|cuba; ハイチ|haiti',
  'ウクライナ|ウ軍 ウ政府 ウ大統領 ukrain; ポーランド|poland polish; チェコ|czech; ハンガリー|hungar',
  'ルーマニア|romania; ギリシャ|greece greek; トルコ|turk; スウェーデン|swed; ノルウェー|norw',
  'フィンランド|finland finnish; デンマーク|denmark danish; オランダ|蘭 netherlands dutch; ベルギー|belgi',
  'スイス|swiss switzerland; オーストリア|austria; ポルトガル|portug; アイルランド|ireland irish',
  'アイスランド|iceland; イスラエル|israel; パレスチナ|palestin; ガザ|gaza; イラン|iran; イラク|iraq',
  'シリア|syria; レバノン|leban; ヨルダン|jordan; サウジアラビア サウジ|saudi; カタール|qatar',
  'アラブ首長国連邦 uae|emirates; イエメン|yemen; アフガニスタン|アフガン afghan; エジプト|egypt; リビア|libya',
  'スーダン|sudan; エチオピア|ethiopia; ケニア|kenya; ナイジェリア|nigeria; 南アフリカ|南ア south_africa',
  'コンゴ|congo; モロッコ|morocc; アルジェリア|algeria; モンゴル|mongolia; カザフスタン|kazakh',
  'ウズベキスタン|uzbek; ベラルーシ|belarus; グリーンランド|greenland; ヨーロッパ 欧州|欧 europe; アフリカ|africa',
  'アジア|東南ア asia; 中東|middle_east',
  // Prefectures
  '北海道|道内 道警 hokkaido; 青森|aomori; 岩手|iwate; 宮城|miyagi; 秋田|akita; 山形|yamagata; 福島|fukushima',
  '茨城|ibaraki; 栃木|tochigi; 群馬|gunma; 埼玉|saitama; 千葉|chiba; 東京|都内 都心 tokyo; 神奈川|kanagawa',
  '新潟|niigata; 富山|toyama; 石川|ishikawa; 福井|fukui; 山梨|yamanashi; 長野|nagano; 岐阜|gifu; 静岡|shizuoka',
  '愛知|aichi; 三重県|三重 mie; 滋賀|shiga; 京都|kyoto; 大阪|阪 osaka; 兵庫|hyogo; 奈良|nara; 和歌山|wakayama',
  '鳥取|tottori; 島根|shimane; 岡山|okayama; 広島|hiroshima; 山口|yamaguchi; 徳島|tokushima; 香川|kagawa',
  '愛媛|ehime; 高知|kochi; 福岡|fukuoka; 佐賀|saga; 長崎|nagasaki; 熊本|kumamoto; 大分県 大分市|大分 oita',
  '宮崎|miyazaki; 鹿児島|kagoshima; 沖縄|okinawa',
  // Organisations
  '国連 国際連合|united_nations u.n; 欧州連合 eu|european_union; 世界保健機関 who|world_health; 国際通貨基金 imf',
  '北大西洋条約機構 nato; 国際原子力機関 iaea; 連邦準備制度理事会 連邦準備理事会 frb|federal_reserve',
  '日銀 日本銀行|bank_of_japan; 最高裁 最高裁判所|supreme_court; 東証 東京証券取引所|tokyo_stock',
  '自民 自民党 自由民主党|liberal_democratic ldp; 立民 立憲 立憲民主党; 公明 公明党; 維新 日本維新の会',
  '国民民主 国民民主党; 共産党 日本共産党|共産; 経産省 経済産業省; 厚労省 厚生労働省; 国交省 国土交通省',
  '文科省 文部科学省; 農水省 農林水産省; 公取委 公正取引委員会; 東電 東京電力; 関電 関西電力; 日航 日本航空 jal',
  '全日空 全日本空輸 ana; nhk 日本放送協会; 宇宙航空研究開発機構 jaxa; nasa 航空宇宙局',
  // Words with a short form
  'ai 人工知能|artificial_intelligence; gdp 国内総生産|gross_domestic; ev 電気自動車|electric_vehicle',
  'sns 交流サイト|social_media; lng 液化天然ガス; cpi 消費者物価指数; ceo 最高経営責任者|chief_executive',
  'm|マグニチュード; m&a 合併・買収; jr 旅客鉄道; ips 人工多能性幹細胞; pc パソコン パーソナルコンピューター',
  'ツイッター twitter|旧ツイッター; コロナ コロナウイルス|covid; ワールドカップ w杯|world_cup',
  'リハビリ リハビリテーション; インフラ インフラストラクチャー|infrastructure; 総書記 書記長',
].flatMap((line) => line.split('; '))

/** Each such name with all its spellings in an article. */
export const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  SAME_NAMES.flatMap((line) => {
    const names = line.split('|')[0]!.split(' ')
    const all = line.split(/[| ]/).map((name) => name.replaceAll('_', ' '))
    return names.map((name) => [name, all] as const)
  }),
)

/** Titles after the name of a person. The longer ones first. */
export const TITLES: readonly string[] = words(
  '官房長官 国家主席 最高指導者 経済再生相 内閣府特命担当相 農林水産大臣 農林水産相 副大統領 大統領 副首相 首相 総理大臣 総理 副大臣 大臣',
  '財務相 防衛相 外務相 法務相 農水相 厚労相 経産相 国交相 環境相 総務相 文科相 国防相 外相 法相 農相 政務官 長官 報道官 副知事 知事 副市長 市長',
  '町長 村長 区長 副社長 社長 副会長 会長 理事長 所長 署長 校長 院長 総裁 総書記 幹事長 書記長 委員長 議長 党首 代表 容疑者 被告 受刑者',
  '死刑囚 選手 投手 捕手 内野手 外野手 監督 主将 横綱 大関 関脇 名人 竜王 九段 議員 准教授 教授 研究員 弁護士 医師 院生 司令官 国王 皇太子',
  '殿下 夫人 主席 教皇 法王 教諭 さん ちゃん くん 氏 師',
)

/** Words before a title that are no names. */
export const ROLES: readonly string[] = words(
  '前 元 現 新 副 同 各 両 全 准 助 都 県 府 市 区 町 村 米 英 仏 独 男性 女性 男子 女子 若手 有力 代表 主力 外国人 国会 衆院 参院 衆議院 参議院',
  '与党 野党 与野党 名誉 次期 歴代 特任 担当 所属 当時 共同 暫定 首席 主任 専門 客員 官房 事務 地方 国務 首脳 候補 日本 日本人 高校 大学 大学院',
  '皆 客 患者 奥 娘 息子 お客 地元 出場 先発 救援 新人 外部 独立 国選 新任 前任 後任 後継 現職 現役 代行 筆頭 最高 名誉 元職 県議会 市議会 議会 党 会社 企業 団体 委員会',
  '対立 女王 臨時 日系 国家 各国 全国 五輪 世界 主要 中心 一部 複数 多く 招待 登録 育成 強化 移籍 引退 自国 国内 海外 外国 容疑',
)
