/**
 * Grave matters: statements that do harm when they are false. Each has the words that state it,
 * further words that an article may use for it, and the beginnings of English words. Words are
 * parts of regular expressions; _ is a space.
 */

interface GraveMatter {
  /** A summary that matches states the matter. */
  readonly said: RegExp
  /** An article that matches supports it. */
  readonly borne: RegExp
  readonly english: RegExp
}

/** said; other words for it; in English */
const MATTERS: readonly (readonly [said: string, others: string, english: string])[] = [
  // Death and injury.
  [
    '死 亡くな 命を落と 命を失 命を奪 遺体 逝去 訃報 享年 犠牲者 心肺停止',
    '命に別[条状] 犠牲 遺族 葬儀 追悼 故人 他界 殺 絶命 亡き (?<![水沈埋])没[しす]',
    'die dead death dying kill fatal casualt perish slain murder mourn obituar decease manslaughter homicide victim corpse funeral los(?:t|e|ing)_(?:his|her|their)_li the_late_',
  ],
  ['自殺 自死 自ら命', '命を絶', 'suicid kill(?:ed|ing)?_(?:him|her|them)sel took_(?:his|her|their)_own'],
  [
    '(?<!自)殺',
    '刺[さしす] 撃[たちっつ] 射[殺撃] 銃撃 手にかけ 命を奪 暴行 絞め',
    'kill murder homicid slain slay shot shoot stab assassin massacre strangl beheading behead',
  ],
  [
    '重傷 重体 重症 意識不明',
    '大けが 重いけが 骨折 骨を折 意識がな 意識を失 危篤',
    'serious critical sever grave unconscious coma',
  ],
  [
    '負傷 (?<![だ受])けが(?=[をしすの人はで、。]|$) 大けが 怪我 軽傷 死傷',
    '(?<![だ受])けが ケガ 重傷 重体 骨折 骨を折 打撲 やけど 捻挫 搬送 手当て 傷 殴',
    'injur wound hurt hospitali[sz] broke fracture burn casualt assault',
  ],
  ['行方不明 失踪 遭難', '安否 連絡が取れ 行方 不明 救助 捜索 戻らな', 'missing disappear stranded lost search'],
  ['誘拐 拉致 監禁 人質', '連れ去 さらわ 身代金 閉じ込め 拘束', 'kidnap abduct hostage captive ransom'],
  // Crimes, and what follows them.
  ['逮捕 捕まっ 捕まり', '捕ま 捕らえ 取り押さえ 現行犯 身柄', 'arrest detain custody caught captur apprehend'],
  ['検挙 摘発 立件', '逮捕 送検 強制捜査 家宅捜索 取り締ま 捜査', 'arrest raid crack charg prosecut bust catch caught'],
  [
    '拘束 身柄 勾留 拘留 収監',
    '逮捕 留置 捕ま 収容 連行 人質 拉致 拘置',
    'arrest detain detention custody jail imprison captur held',
  ],
  ['(?<!不)起訴', '公判 被告 罪に問 訴追 初公判', 'charg indict prosecut trial accus plead'],
  [
    '不起訴',
    '起訴猶予 起訴しな 嫌疑不十分 起訴を見送',
    'drop not_charg no_charg without_charg cleared not_prosecut declin',
  ],
  ['送検', '送致 逮捕', 'referr prosecutor charg'],
  [
    '容疑 疑い 疑惑 嫌疑 疑われ',
    '疑[うえっ] 逮捕 起訴 捜査 とみて 恐れ おそれ 可能性 指摘 不審 関与',
    'suspect suspicio alleg accus charg arrest doubt',
  ],
  [
    '不正(?!アクセス)',
    '不適切 不適正 改[ざ竄]ん 偽 違反 違法 横領 着服 流用 談合 汚職 賄賂 収賄 贈賄 粉飾 だまし 詐[取欺] 虚偽 水増し 架空 カンニング ごまかし 悪用 隠[しぺ蔽] 八百長',
    'fraud cheat improper irregular misconduct wrongdo illegal unlawful illicit fabricat falsif rigg corrupt embezzl scam abuse unauthori misus unfair malpractice dishonest',
  ],
  [
    '不正アクセス サイバー攻撃',
    'ハッキング ハッカー 侵入 ランサムウ[エェ]ア 不正 攻撃',
    'hack breach cyber intru ransomware unauthori attack',
  ],
  ['横領 着服', '流用 使い込 私的に 不正', 'embezzl misappropriat pocket stole siphon divert'],
  ['収賄 贈賄 贈収賄 賄賂 汚職', '見返り 金品 便宜 裏金 買収 利益供与', 'brib corrupt graft kickback'],
  ['裏金', '不記載 簿外 還流 キックバック', 'slush unreported off-the-book kickback secret'],
  [
    '詐欺 詐取 だまし取 だまされ',
    'だま 欺 偽 なりすま うそ',
    'fraud scam swindl decei deceptio con_ conned phish trick dup',
  ],
  ['脱税 所得隠し 申告漏れ', '脱税 所得隠 申告漏 申告せ 無申告 過少', 'tax'],
  [
    '窃盗 盗難 万引き 強盗 略奪 ひったくり 盗ま 盗み 盗ん 盗っ',
    '盗 奪 押し入 空き巣 持ち去 侵入',
    'steal stole theft thie rob burgl loot heist shoplift break-in mugg',
  ],
  [
    '改[ざ竄]ん 偽造 捏造 ねつ造 粉飾 虚偽 でっち上げ',
    '偽 うそ 嘘 書き換え 不正 事実と異な 事実に反 水増し 架空 不適切',
    'falsif fabricat forg fake false tamper manipulat doctor counterfeit rigg',
  ],
  [
    '暴行 暴力(?!団) 殴[らりるっ] 襲撃 襲わ 襲っ 傷害',
    '殴 蹴 襲 傷害 乱暴 手を上げ 暴れ けが 傷 刺 体罰 切りつけ 攻撃 殺',
    'assault violen attack beat punch kick hit batter abus brawl raid',
  ],
  ['刺さ 刺し 刺傷 切りつけ', '刺[さしす] 切りつけ 刃物 包丁 ナイフ 傷', 'stab knif slash blade'],
  ['発砲 銃撃 銃殺 射殺 撃たれ', '銃 撃[たちっつ] 発射', 'shot shoot gun fire'],
  [
    '性的(?!少数|マイノリティ|指向) わいせつ 強姦 性加害 性暴力 性被害 レイプ 痴漢 盗撮 買春 売春 不同意 淫行',
    '性(?:的|加害|暴力|被害|犯罪|行為|交) 下着 体を触 のぞき セクハラ',
    'sex rap(?:e|ing|ist) molest indecen prostitut voyeur grop upskirt',
  ],
  ['差別(?!化) ヘイト', '偏見 人種 蔑視 不平等 侮辱', 'discriminat racis racial bias prejudic sexis hate inequal'],
  ['虐待 ネグレクト', '暴行 暴力 折檻 体罰 放置 置き去り 世話をせ', 'abus mistreat cruel tortur neglect maltreat'],
  ['いじめ ハラスメント パワハラ セクハラ', '嫌がらせ 叱責 暴言 不適切', 'bull(?:y|ie) harass abus hazing intimidat'],
  [
    '違法 不法',
    '違反 無許可 無断 抵触 法に触れ 無免許 不正 禁じ 犯罪 罪',
    'illeg unlawful illicit violat breach offen against_the_law crim',
  ],
  [
    '違反 違憲 抵触',
    '違法 反し 反する 背[きい] 破[りっ] 不法 超過 守ら',
    'violat breach infring broke contraven illegal unlawful unconstitution offen',
  ],
  [
    '犯罪 犯行 共犯 犯人',
    '罪 犯 事件 逮捕 詐欺 容疑 被告',
    'crim offen culprit perpetrat suspect accomplice fraud theft',
  ],
  ['暴力団 反社', '組員 組長 やくざ ヤクザ 組織', 'yakuza gang mafia mob syndicate'],
  [
    '覚醒剤 覚せい剤 大麻 麻薬 薬物',
    'コカイン ヘロイン MDMA mdma 乾燥大麻 違法薬',
    'drug cannabis marijuana cocain heroin narcotic meth stimulant opioid fentanyl dop',
  ],
  [
    '飲酒運転 酒気帯び 酒酔い ひき逃げ 当て逃げ 無免許',
    '飲酒 酒を飲 アルコール 逃げ 逃走 走り去 免許',
    'drunk drink alcohol dui hit-and-run fled flee unlicen licen',
  ],
  // Courts
  [
    '(?<!無)有罪 懲役 禁錮 拘禁刑 実刑 執行猶予 死刑 終身刑',
    '罪を認め 罰金 服役 受刑 刑を言い渡',
    'convict guilty sentenc prison jail execut death_penalty death_row imprison',
  ],
  ['無罪', '罪に問わな 罪に問えな 潔白 犯罪の証明がな', 'acquit not_guilty innocen cleared exonerat'],
  [
    '敗訴',
    '退け 棄却 請求を認めな 訴えを認めな 負け 支払いを命じ 支払うよう命じ 差し止め',
    'lost lose dismiss reject rul order',
  ],
  ['勝訴', '認め 命じ 勝っ 勝ち 訴えが通', 'won_ wins?_ winning rul favo'],
  [
    '提訴 告訴 告発',
    '訴え 訴訟 裁判 原告 被害届 通報',
    'sue_ sued sues suing lawsuit suits?_ court complain accus filed filing whistle',
  ],
  ['罰金 課徴金 追徴', '制裁金 反則金 罰則 過料 罰 納付', 'fine_ fined fines penalt'],
  // Offices and companies
  [
    '辞任 辞職 辞意 辞表 引責 退陣',
    '辞め 辞す 退任 退く 退い 退き 退職 降板 身を引 職を離れ 降り 交代',
    'resign step(?:s|ped|ping)?_down stepp quit depart leav oust',
  ],
  [
    '解任 更迭 罷免 解職 免職 懲戒 失脚',
    '処分 辞めさせ 職を解 職を外 外され 外した 交代 クビ 首に 追放 解雇',
    'dismiss fired firing sack oust remov replac disciplin purg',
  ],
  [
    '解雇 リストラ',
    '人員削減 人員整理 雇い止め 首を切 職を失 失業 削減',
    'lay_off laid_off layoff lay-off job_cut dismiss fired firing redundan cut axe sack',
  ],
  [
    '停職 減給 戒告 譴責 謹慎 出場停止 資格停止 追放 除名 除籍',
    '処分 罰 自粛 停止 離党 失格',
    'suspend ban penal disciplin punish expel sanction disqualif',
  ],
  [
    '破産 倒産 破綻 民事再生 会社更生 債務超過',
    '再生手続 更生法 再生法 清算 事業停止 事業を停止',
    'bankrupt insolven collaps chapter_11 default liquidat receivership fail go_under',
  ],
  [
    '閉鎖(?!的) 廃業 封鎖 閉店 廃校 閉校 閉園',
    '閉じ 閉店 閉校 閉園 休業 廃[止業校線] 営業を終 店をたた 撤退 通行止め 休館 休校 幕を下ろ 立ち入り禁止',
    'clos shut seal lock blockad cordon',
  ],
  ['撤退', '引き揚げ 引き上げ 手を引 退 やめ 終了 閉鎖 撤収', 'withdr exit pull leav retreat quit'],
  ['謝罪 陳謝', 'おわび お詫び 詫び わび 謝 頭を下げ 申し訳 遺憾', 'apolog sorry regret'],
  ['不倫 離婚', '浮気 交際 離縁 別れ 破局', 'affair divorc split separat cheat'],
  // Plans and votes.
  [
    '中止',
    '取りや[めむ] 取り止め 見送 断念 打ち切 休止 停止 中断 行わな 開かな 開催しな キャンセル 撤回 欠航 運休 白紙 止め やめ 見合わせ',
    'cancel call(?:s|ed)?_off scrap halt stop suspend abandon drop axe shelv',
  ],
  [
    '撤回',
    '取り消 取り下げ 引っ込め 白紙 翻[しす] 改め 撤廃 見直 断念 中止',
    'withdr retract revers rescind scrap drop t(?:ake|ook)_back revok back(?:ed)?_down repeal',
  ],
  [
    '見送[らりるっ]',
    '延期 先送り 断念 中止 取りやめ 見合わせ 据え置 しない方針 しないこと しなかった 行わな 維持 別れ 旅立 手を振',
    'postpon delay hold held put_off forgo skip defer unchang keep kept maintain shelv see_off saw_off farewell',
  ],
  [
    '(?<!無期)延期 先送り',
    '遅らせ 遅れ 順延 繰り延べ 後ろ倒し ずれ込 見送 先延ばし 日程を変 延期',
    'postpon delay put_off push later defer resched',
  ],
  ['凍結', '凍[っりるえ] 氷 差し押さえ 停止 止め 棚上げ 中断', 'freez froz suspend halt ice icy'],
  [
    '断念 挫折',
    'あきらめ 諦め 取りやめ 中止 見送 撤回 白紙 頓挫',
    'abandon giv(?:e|es|ing)_up gave_up drop scrap fail',
  ],
  [
    '停止(?!線) 休止 中断',
    '止め 止ま 中止 打ち切 休[みむん館業] 見合わせ 運休 ストップ 凍結 途絶',
    'stop halt suspend shut clos paus disrupt cut interrupt',
  ],
  ['否決', '反対多数 賛成少数 退け 通らな 成立しな 不採択 否認', 'reject vot defeat against fail'],
  ['可決', '成立 賛成多数 承認 採択 通過 議決 通っ 決め', 'pass approv adopt vot clear'],
  [
    '反対(?![側車方向]|に(?:曲|向|回))',
    '異議 抗議 批判 反発 拒 異論 異を唱 否定的 賛成しな 賛同しな やめるよう 中止を求 撤回を求 しないよう 壊さないよう 懸念 望まな 認めな 反意 不満',
    'oppos object against protest reject disagre critici[sz] resist anti- veto',
  ],
  [
    '拒否 拒絶',
    '拒 断っ 断る 断り 断ら 応じな 応じず 受け入れな 認めな 退け 却下 否定 突っぱね 辞退',
    'refus reject declin deny denied denie turn(?:ed|s)?_down veto rebuff',
  ],
  ['却下 棄却', '退け 認めな 門前払い 請求を', 'dismiss reject den(?:y|ie) turn(?:ed|s)?_down'],
  // Disasters, illness, war.
  ['爆発(?!的) 爆破', '破裂 爆 吹き飛 砲', 'explo blast bomb deton erupt blew'],
  ['(?<![スヘ])テロ(?![ァ-ヺー]) テロリスト', '爆 襲撃 過激派 攻撃', 'terror bomb attack extremis'],
  ['火災 出火 放火 全焼 延焼', '火[災事元の] 炎 燃 焼[けいか] 煙', 'fire blaze burn arson flame ablaze'],
  ['墜落 不時着', '落ち 落下 着陸 消息を絶', 'crash fell fall plung emergency_landing'],
  [
    '沈没 転覆 脱線 崩落 倒壊 横転',
    '沈[みんむ] 傾 線路を外れ 崩れ 倒れ 座礁 ひっくり',
    'sink sank sunk capsiz derail collaps overturn topple roll',
  ],
  [
    '事故(?!の?防止)',
    '衝突 追突 墜落 脱線 転落 転倒 横転 爆発 火災 火事 溺れ おぼれ トラブル 災害 漏れ 故障 不具合 けが はね 落ち 滑落 下敷き 挟ま 巻き込ま 骨を折 死 亡くな',
    'accident crash collis collid incident disaster mishap derail wreck',
  ],
  [
    '感染(?!症の?(?:対策|研究|予防))',
    '流行 罹患 り患 発症 患者 ウイルス ウィルス うつ[るっさ] コロナ インフル 陽性 クラスター 菌 病気',
    'infect virus disease outbreak covid flu epidemic pandemic contag ill_ illness patient sick bacteria positive',
  ],
  ['食中毒 集団中毒', '嘔吐 下痢 ノロ O157 o157 腹痛 菌', 'poison salmonell norovirus coli vomit sick'],
  ['漏えい 漏洩 流出', '漏れ 漏ら 盗 不正アクセス 公開され 流れ', 'leak breach expos spill stole outflow drain flow'],
  [
    '侵攻 侵略 空爆 宣戦 砲撃',
    '攻撃 攻め 爆撃 戦争 軍事 ミサイル 戦闘 ドローン 攻勢',
    'invad invasion attack strike bomb war(?![a-z]) shell missile offensive',
  ],
]

const words = (line: string): string => line.split(' ').join('|').replaceAll('_', ' ')

export const GRAVE_MATTERS: readonly GraveMatter[] = MATTERS.map(([said, others, english]) => ({
  said: new RegExp(words(said), 'g'),
  borne: new RegExp(`${words(said)}|${words(others)}`),
  english: new RegExp(`(?<![a-z])(?:${words(english)})`),
}))

/** Words that contain such a part but are not grave. */
export const NOT_GRAVE = new RegExp(
  words(
    '殺到 殺虫 殺菌 相殺 殺風景 忙殺 悩殺 殺陣 必死 死守 死角 死闘 死球 死語 不死 起死回生 死力 死に物狂い 決死 死票 不正確 ' +
      '疑いな[くい] 疑いようが?な 疑いの余地 拘束力 拘束時間 一時停止 無事故 再発防止 不死鳥 傷つ 中止符 反対語 感染研',
  ),
  'g',
)

/** Words that sentences on any subject share. */
export const COMMON_WORDS = new Set(
  '発表 記者 者会 会見 説明 関係 今年 来年 昨年 同日 以上 以下 方針 予定 見通 結果 一方 年度 開催 実施 対応 対策 影響 今後 現在 可能 可能性'.split(
    ' ',
  ),
)
