/**
 * The forms in which a sentence gives orders to a machine, as regular expressions. They expect text
 * of one width, in lower case, without look-alikes.
 * A form joins two things that news do not join in their own voice: a request to whoever reads (not
 * one that is reported, which news are full of), and its subject, which is the orders of a machine,
 * the text that it makes, or the machine itself.
 */

/** One of several sources. */
const any = (...sources: readonly string[]): string => `(?:${sources.join('|')})`
/** All sources, in any order. */
const all = (...sources: readonly string[]): string => `^${sources.map((source) => `(?=.*?${source})`).join('')}`

/** 市は「…してください」と呼びかけた */
const NOT_REPORTED = '(?![。!」』]*、?(?:と|など))'
const END = '(?=[。!、」』>\\])】]|$)'
const ENDS_TEXT = '(?=[。!」』>\\])】]|$)'

/** 書いてください, 書け, 含めよ, 書くこと, 書かれたい */
const REQUEST =
  any(
    '[てで](?:ください|下さい|くれ(?![たなばまる])|ちょうだい)',
    ...['なさい', 'くださいますよう', 'お?願い(?:し|いた|申|ま)', `[かがさたなばまらわ]れたい${ENDS_TEXT}`],
    `(?:しろ|せよ|[えけげせてねべめれ][ろよ]|(?:書|出|従|守|言|返)[けえれせ])${END}`,
    `[いうくぐすつぬぶむる](?:こと|ように?|な)${ENDS_TEXT}`,
  ) + NOT_REPORTED
/** 称賛して。 */
const PLEADING = `[てで][ねよ]?${ENDS_TEXT}`
/** 書くべきだ, 書くのが決まりだ, 書けばよい: the usual words of opinion and custom, so they need more. */
const ADVICE = `[うくぐすつぬぶむる](?:べき|ものとす|のが(?:決まり|望まし|正し|適切|ルール|慣例)|ればよい)[^、。]{0,3}${ENDS_TEXT}`
const DUTY = any('なければなら', 'てはなら', 'とする')
const MARKS = '^[#*■【<\\[(]*'
const CLOSES = '[】>\\])]*[:、。]'

const MACHINE = any(
  ...['(?<![a-z])(?:ai|llm|claude|gemini)(?![a-z])', '人工知能', '言語モデル', 'チャットボット', '自動(?:要約|処理)'],
  ...['機械による(?:要約|読)', 'アシスタント', 'gpt'],
)
const ORDERS = any('指示', '命令', '指令', 'プロンプト', 'ルール', '規則', '制約', 'ガイドライン')
const THESE = any(
  ...['(?:これ|ここ|それ|今|いま)まで', '以前', '以上', '以下', '前述', '直前', '従来', '最初', '上記', '下記'],
  ...['先ほど(?:まで)?', '[元上次前]', 'この', '新しい', '(?:すべて|全て|あらゆる)'],
)
const THESE_ORDERS = `${THESE}(?:の|に(?:書か|記さ)れた)?(?:すべての|全ての|全)?${ORDERS}`
/** 次のように, 以下の文のみを */
const AS_FOLLOWS = `(?:次|以下|下記)の(?:よう|とおり|通り|文|内容|形式|一文)[^。]{0,8}[にをみけ]`
/** What machines do, and people as well. */
const ANSWER = any('出力', '回答', '返答', '応答')
/** What a machine has, or makes of an article. */
const OUTPUT = any(
  ...['要約', 'システムプロンプト', 'プロンプトの', '会話履歴', '思考過程', `${MACHINE}[^。、]{0,9}として`],
  '(?:この|本)?(?:記事|文章?|稿)[^。、]{0,4}をまとめる(?:際|とき|時|場合)',
  `${ANSWER}(?:には?|では|の(?:最初|最後|冒頭|末尾|中)|を(?:生成|作成|終了))`,
)
const YOU = any('あなた', 'お前', '君', '貴方', '貴モデル', '読者', '読み手')

/** Matched without any spaces, because attackers put spaces between Japanese letters. */
export const JAPANESE = [
  all(THESE_ORDERS, any(REQUEST, PLEADING)),
  `${THESE_ORDERS}[をは](?:すべて|全て|全部|一切)?無視${ENDS_TEXT}`,
  all('(?:プロンプト|指示文)[^。]*(?:無効|失効|従う必要は)', `(?:ました|です|す|ん|と)${ENDS_TEXT}`),
  all(OUTPUT, any(REQUEST, ADVICE)),
  all(MACHINE, REQUEST),
  all(MACHINE, `(?:この|本)(?:段落|記事|文|ページ|稿)`, DUTY),
  all(`${MACHINE}は[^。]{0,80}(?:末尾|冒頭|最後|最初|文末)`, ADVICE),
  `(?:${ANSWER}|表示|翻訳)(?=[しせす])[^。、]{0,3}${REQUEST}`,
  `${AS_FOLLOWS}[^。]{0,20}${any('書', '述べ', '答え', '含め', '加え', '返')}[^。]{0,3}${REQUEST}`,
  // あなたはAIアシスタントです, もしあなたがAIなら
  `${YOU}[はが][^。]{0,20}?${MACHINE}(?:アシスタント|モデル|エージェント|システム)?${any('です', 'だ(?!と|が)', 'である', 'として', 'な[のら]', 'の場合', 'であれば', END)}`,
  `${YOU}(?:の(?:新しい|本当の|次の)(?:役割|任務|タスク)は|に(?:設定|与え)[^。]*${REQUEST})`,
  // AIへの指示:, システムプロンプト:, 【システム通知】
  `${MARKS}${any(`(?:要約[^。:]{0,6}|生成)?(?:${MACHINE}|モデル|プログラム)[^、。:]{0,6}(?:へ|へのお?[^、。:に]{2,5}|の方へ|に告ぐ|向け[^、。:]{2,6})`, '(?:システム|新しい|追加の?|隠し)+(?:プロンプト|メッセージ|指示|命令)', `${ORDERS}の?上書き`)}(?:${CLOSES}|[】>\\])]|$)`,
  `(?:${MACHINE}|モデル|プログラム)に告ぐ`,
  '^[【<\\[(](?:システム|管理者|開発者)(?:通知|権限|命令|指示|モード)?[】>\\])]',
  `^アシスタント:`,
  // ユーザーには知らせないで
  `(?:ユーザー|利用者|読者)に(?:は|この)[^。]{0,8}(?:知らせ|伝え|明か[すさ])(?:るな|な${ENDS_TEXT}|ないで)`,
]

const NO_KANA = '^(?!.*[ぁ-んァ-ヶ])'
/** Matched without spaces. Chinese has no kana, and Japanese another order of words. */
export const CHINESE_AND_KOREAN = [
  `${NO_KANA}.*${any('忽略', '[无無][视視]', '忘[记記掉]', '不要(?:理会|遵守)', '覆盖', '绕过')}[^。,]{0,8}?${any('[之以先]?前', '以?上', '上述', '所有', '全部', '一切', '原有', '系[统統]')}[^。,]{0,8}?${any('指[示令]', '命令', '提示', '[规規][则則]', '要求', '约束')}`,
  `${NO_KANA}.*你[^。,]{0,20}${any('ai', '人工智能', '[语語]言模型', '助手', '机器人', 'chatgpt')}`,
  `${NO_KANA}.*${any('[输輸]出', '回[复答]')}(?:以下|如下)`,
  `${NO_KANA}.*(?:在|于)(?:你的)?(?:摘要|[总總][结結]|概要)(?:中|里|末尾)`,
  '(?:지시|명령|지침|프롬프트)[^.]{0,12}(?:무시|잊)',
]

/** Where a clause begins. Elsewhere a verb is reported: "He told them to ignore …". */
const FIRST = `(?:^|[.,:;!?(\\["“»—-] ?|\\b(?:and|please|kindly|now|then|always|must|you to|bitte|por favor|s'il (?:te|vous) plait|per favore|alsjeblieft|пожалуйста,?) )`
const IGNORE = any(
  ...['ignor', 'disregard', 'forget', 'overrid', 'bypass', '(?:do not|don.t|stop|never) (?:follow|obey)'],
  ...['vergiss', 'vergess', 'missacht', 'oublie', 'ne t[ei]', 'olvid', 'desconsider', 'esque[cç]', 'haz caso omiso'],
  ...['dimentica', 'negeer', 'vergeet', '(?:про)?игнорир', 'забуд'],
)
const PREVIOUS = any(
  ...['previous', 'prior', 'above', 'earlier', 'preced', 'foregoing', 'existing', 'original', 'initial', 'system'],
  ...['given', 'you', 'these', 'those', 'all', 'every', 'safety', 'ander', 'vorher', 'bisher', 'obig', 'vorig'],
  ...['fruher', 'vos', 'tes', 'anterior', 'previ', 'acima', 'tus', 'toda', 'tutt', 'eerder', 'voorg', 'bovenst'],
  ...['vorige', 'прежн', 'предыдущ', 'все'],
)
const LATIN_ORDERS = any(
  ...['instru[ck]', 'prompt', 'rules?\\b', 'guideline', 'directi', 'command', 'constraint', 'anweis', 'befehl'],
  ...['vorgabe', 'regel', 'consigne', 'regles?', 'istruzion', 'indicacion', 'orden', 'reg[lr]as', 'regole', 'comand'],
  ...['opdracht', 'aanwijzing', 'инструкц', 'указан', 'команд', 'правил'],
)
const MODEL = any(
  'ai(?: (?:assistant|model|agent|system|crawler|language model|summari[sz]er)s?)?',
  ...['(?:large )?language models?', 'llms?', 'chatbots?', 'bot', 'chatgpt', 'dan', 'summari[sz]ers?', 'assistants?'],
)
const MODEL_ENDS = `(?:[.,;:!]|$| (?:that|who|which|and|with|without|tasked|trained|designed|in|\\w+ing)\\b)`
const WRITE = any(
  ...['summari[sz]e', 'write', 'say', 'tell', 'state', 'include', 'insert', 'add', 'append', 'mention', 'praise'],
  ...['respond', 'reply', 'answer', 'output', 'print', 'return', 'make', 'let', 'have', 'ensure', 'begin', 'start'],
  ...['end', 'finish', 'close', 'you must', 'you should', 'always', 'never', 'do not', 'recommend', 'ignore'],
  ...['replace', 'omit'],
)
const THE_SUMMARY =
  '(?:your (?:summary|output|response|reply|answer|text)|(?:your|the) (?:(?:final|last|first) (?:sentence|line|paragraph)|summary))\\b'

/** Matched with single spaces and without accents, in the languages of Europe. */
export const LATIN = [
  `${FIRST}${IGNORE}.{0,30}?(?<!\\p{L})${PREVIOUS}.{0,30}?${LATIN_ORDERS}`,
  `${FIRST}${IGNORE}.{0,20}?${LATIN_ORDERS}.{0,20}?${PREVIOUS}`,
  `${FIRST}${IGNORE}\\w* (?:everything|all|anything)\\b.{0,20}\\b(?:above|before|previous|prior|so far)`,
  `(?:^|[.,:;!?] ?)(?:if |from now on,? )?you(?:'re| are| will(?: act)?| must act| act)(?! not)(?: as)? (?:\\w+ ){0,5}?${MODEL}${MODEL_ENDS}`,
  `\\bif .{0,30}\\b${MODEL} (?:is |are )?reading\\b`,
  `\\bas an? (?:large )?(?:ai (?:language )?model|ai assistant|language model|llm)\\b`,
  `^\\W*(?:note|message|instructions?|attention|dear|hey|hello)(?: to| for)? ?(?:all |any |the )?${MODEL} ?[:,!]`,
  `^\\W*(?:all |any |the )?${MODEL} ?[:,] (?:[^.]*, )?(?:please )?${WRITE}\\b`,
  `^\\W*${MODEL} (?:directive|instruction|notice|prompt)s? ?:`,
  `\\b(?:new|updated|further) instructions? (?:for|to) (?:all |any |the )?${MODEL}`,
  `${FIRST}(?:reveal|print|show|output|repeat|display|leak|replace|change|update|expose) (?:\\w+ ){0,3}(?:system )?prompt\\b`,
  `(?:^|[.,:;!?] ?|\\b(?:please|kindly) )${WRITE}\\b.{0,80}\\b${THE_SUMMARY}`,
  `\\b(?:in|to|into) ${THE_SUMMARY}.{0,60}\\b${WRITE}\\b`,
  `^(?:please )?(?:when|while|before|if) .{0,20}(?:summari[sz]|response|output|answer).{0,60}, ?(?:please )?${WRITE}\\b`,
  `\\b(?:your|writ\\w+ the) summary (?:must|should|shall)\\b`,
  `${FIRST}(?:do not|don.t|never) (?:tell|inform|let) (?:the |your )?(?:user|reader)`,
  `^(?:please )?(?:now )?(?:respond|reply|answer|output|print|return)\\b.{0,80}\\b(?:only|exactly|verbatim|the following|as follows)\\b`,
  `^(?:please )?(?:summari[sz]e|translate|rewrite) this (?:article|text|page|document)\\b`,
  `^your (?:new|only|real|next|actual|sole) (?:task|instructions?) (?:is|are)\\b`,
  // Marks of dialogues in the formats of models, and headings.
  `<\\|[a-z_]{2,30}\\|>|<\\/?(?:system|assistant|instructions?|prompt|s)>|\\[\\/?inst\\]|<<\\/?sys>>|<(?:start|end)_of_turn>`,
  `^#{1,6} ?(?:system|assistant|instructions?|user|human|response|prompt)\\b ?:?`,
  `^\\W*(?:system|assistant|(?:(?:new|updated|hidden|secret|additional|system) )+(?:prompt|message|instructions?)) ?[\\])]? ?: ?\\S`,
  `^\\W*(?:(?:system|admin|developer|prompt|instructions?)[ _-])?override\\b ?(?:[^a-z ]|$)`,
  `\\b(?:begin|end|start)(?: of)?[ _](?:system|new|hidden|assistant)?[ _]?(?:prompt|instructions?)\\b`,
]

/**
 * Matched by letters alone: spaces and marks between them make no difference. Behind `to` they are
 * reported.
 */
export const LETTERS = [
  '(?<!to)(?:ignore|disregard|forget|override)(?:all|any|every|of|the|my|your|these|those)*(?:previous|prior|above|earlier|preceding|foregoing)(?:system|given)?(?:instruction|prompt|direction|guideline|command)',
]
