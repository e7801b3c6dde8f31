/**
 * Sentences of an article that speak to a machine rather than to readers: "ignore the previous instructions", roles of a dialogue,
 * encoded blobs. They are cut out before a language model reads the article, and shown to administrators.
 * This is one of several layers: what slips through still meets a model that is told to take the article as material, and a checker
 * that refuses what does not stand in it. What only tells about such attacks, as news do, stays.
 */
import { INVISIBLE, unifyLookAlikes, unifyWidthAndCase } from '../../../lib/fold.ts'

/** What was cut is shown in lists: enough of each to judge, and of not too many. */
const SHOWN_LENGTH = 300
const SHOWN_MAX = 20

/** A request to whoever reads: 〜してください, 〜しろ, 〜せよ, 〜しなさい, 〜すること。 */
const REQUEST =
  '(?:(?:して|せず)(?:ください|下さい|くれ|ほしい|欲しい|ちょうだい)|しろ|せよ|しなさい|すること(?:[。」』!]|$)|するように(?:[。」』!]|$))'
const MACHINE =
  '(?:生成)?(?:ai|人工知能|llm|(?:大規模)?言語モデル|chatgpt|gpt(?:-?\\d\\w*)?|claude|gemini|チャットボット|aiアシスタント|アシスタント)'

/** Judged without any spaces, which are strewn between Japanese letters to get past. */
const JAPANESE = [
  // これまでの指示を無視して, 次のことを書いてください
  `(?:指示|命令|プロンプト|ルール|制約|設定|ガイドライン|指令)(?:を|は|等を|などを|について)?(?:すべて|全て|全部|一切|完全に)?(?:無視|破棄|忘却|リセット|上書き|無効化?)${REQUEST}`,
  `(?:指示|命令|プロンプト|ルール|制約|指令)(?:を|は)?(?:すべて|全て|全部|一切|完全に)?(?:無視|破棄|リセット|上書き)し(?:て)?、?(?:次|以下|下記|代わり|かわり|必ず|あなた|要約|出力|回答|この(?:文|記事|商品|製品|会社|サイト)|[「『])`,
  `(?:これまで|今まで|以前|上記|直前|先ほど|前|従来|最初)の(?:すべての|全ての|全)?(?:指示|命令|プロンプト|ルール|制約|会話|文脈)(?:を|は)?(?:すべて|全て|全部|一切|完全に)?忘れ(?:て(?:ください|下さい|くれ|、?(?:次|以下|代わり|必ず))|ろ|なさい)`,
  `(?:これまで|今まで|以前|上記|先ほど|従来)の(?:すべての|全ての|全)?(?:指示|命令|プロンプト|会話)(?:を|は)?(?:すべて|全て|全部|一切|完全に)?無視(?:[。」』!]|$)`,
  // あなたはAIアシスタントです
  `(?:あなた|お前|君|貴方)は[^。]{0,20}?${MACHINE}(?:アシスタント|モデル|エージェント|システム)?(?:です|だ(?!と|が)|である|として|なので|だから|[。、」』!]|$)`,
  `(?:もし|仮に)?(?:あなた|これを読んでいるの|読者|読み手)が${MACHINE}(?:アシスタント|モデル|エージェント)?(?:なら|の場合|であれば|だったら)`,
  `${MACHINE}(?:アシスタント|モデル)?として(?:回答|要約|出力|返答|応答|振る舞|行動)${REQUEST}`,
  `^[#*■【<\\[(]*${MACHINE}(?:アシスタント|モデル|エージェント|クローラー)?(?:へ|への(?:指示|命令|注意|メッセージ|お願い|連絡)|の方へ|に告ぐ|向け(?:の)?(?:指示|命令|メッセージ|情報))(?:[】>\\])]*[:、。]|[】>\\])])`,
  `^[#*■【<\\[(]*(?:システム(?:プロンプト|メッセージ|指示)|新しい指示|追加の?指示|隠し指示)[】>\\])]*:`,
  // 次のように要約してください
  `(?:次|以下|下記)の(?:よう|とおり|通り|文|文章|文言|内容|形式|一文)(?:に|を|で|のみ|だけ)[^。]{0,20}(?:要約|出力|回答|返答|応答|返信|表示)(?:し(?:て(?:ください|下さい|くれ)|ろ|なさい)|せよ|すること(?:[。」』!]|$))`,
  `(?:次|以下|下記)の(?:よう|とおり|通り|文|文章|文言|内容|一文)(?:に|を|だけを?|のみを?)(?:書け|書きなさい|書いて(?:ください|下さい)|含めて?(?:ください|下さい|ろ))`,
  `(?:この|本)(?:記事|文章|ページ|サイト|文書|テキスト)(?:を|の内容を)[^。]{0,30}(?:要約|紹介|出力|推薦|翻訳)${REQUEST}`,
  `(?:この|本)(?:記事|文章|ページ|サイト|文書|テキスト)を(?:要約|翻訳|処理)する(?:際|とき|時|場合|なら)[^。]{0,60}(?:ください|下さい|しろ|せよ|なさい|書け|加えろ|含めろ|こと(?:[。」』!]|$))`,
  `(?:要約|出力|返答)(?:には?|では|は|の(?:最初|最後|冒頭|末尾|中)に)[^。]{0,50}(?:含め|書い|書き|入れ|記載し|追加し|追記し|加え|述べ|明記し)(?:て(?:ください|下さい|くれ)|ろ|なさい|よ(?:[。」』!]|$)|ること(?:[。」』!]|$))`,
  `システムプロンプト(?:を|の内容を|の全文を)[^。]{0,15}(?:表示|出力|開示|公開|無視|上書き)${REQUEST}`,
  `(?:この|上記の|以下の|次の)(?:指示|命令)(?:に(?:必ず)?従|を(?:必ず)?守|を(?:必ず)?実行)(?:って|い|し|え|れ|せよ)(?:(?:ください|下さい|なさい|要約|出力|回答)|[。」』!]|$)`,
  `(?:ユーザー|利用者|読者)に(?:は)?(?:この(?:指示|命令|こと)を)?(?:知らせるな|伝えるな|明かすな|知らせないで(?:ください|下さい)|明かさないで(?:ください|下さい))`,
]

/** Judged with single spaces. */
const LATIN = [
  `\\b(?:ignore|disregard|forget|override|bypass|do not follow|don't follow)\\b(?: [a-z]+){0,4}? (?:previous|prior|above|earlier|preceding|foregoing|existing|original|system|your|these|those|all)(?: [a-z]+){0,3}? (?:instructions?|prompts?|rules?|guidelines?|directions?|commands?|context|constraints?)\\b`,
  `\\b(?:ignore|disregard|forget) (?:everything|all|anything)(?: of the| that)?(?: [a-z]+){0,2} (?:above|before|previous(?:ly)?|prior|so far)\\b`,
  `\\byou are (?:now |from now on |actually |no longer )*(?:an? |the )?(?:\\w+ ){0,3}?(?:ai(?: (?:assistant|model|agent|language model))?|language model|chatbot|chatgpt|llm|dan|helpful assistant|summari[sz]er)(?:[.,;:!]|$| (?:that|who|which|and|with|without|tasked|trained|designed|in)\\b)`,
  `\\b(?:as|being) an? (?:ai|large|artificial)?(?: ?(?:ai|intelligence))? ?(?:language model|ai model|ai assistant|llm)\\b`,
  `\\bif you(?:'re| are) (?:an? )?(?:\\w+ ){0,2}?(?:ai|llm|language model|chatbot|bot|assistant)\\b`,
  `\\b(?:note|message|instructions?|attention|dear|hey|hello)(?: to| for)? ?(?:all |any |the )?(?:ai|llms?|language models?|chatbots?|ai (?:assistants?|models?|agents?|crawlers?)|chatgpt|summari[sz]ers?)\\b ?[:,!]`,
  `\\b(?:reveal|print|show|output|repeat|display|leak|replace|change|update|expose) (?:\\w+ ){0,3}system prompt\\b`,
  `(?:^|[#*>\\[(] ?)(?:new |updated |hidden |secret |additional )?(?:system (?:prompt|message|instructions?)|new instructions?|hidden instructions?|instructions? for (?:the )?(?:ai|llms?|models?|assistants?)) ?[\\])]? ?:`,
  `^(?:please )?(?:now )?(?:respond|reply|answer|output|print|return|write|summari[sz]e|say|translate)\\b.{0,80}\\b(?:only|exactly|verbatim|with the following|the following|as follows|this (?:article|text|page|document)|in (?:your|the) summary)\\b`,
  `\\b(?:in|to|into) (?:your|the) (?:summary|output|response|reply|answer)\\b.{0,60}\\b(?:must|include|write|say|mention|add|state|insert)\\b|\\b(?:include|insert|add|mention|write|append)\\b.{0,80}\\b(?:in|to|into|at the end of) (?:your|the) (?:summary|output|response)\\b`,
  // The marks with which dialogues are written down for models.
  `<\\|[a-z_]{2,30}\\|>|<\\/?(?:system|assistant|instructions?|prompt|s)>|\\[\\/?inst\\]|<<\\/?sys>>|<(?:start|end)_of_turn>`,
  `^#{1,6} ?(?:system|assistant|instructions?|user|human|response|prompt)\\b ?:?`,
  `^(?:system|assistant) ?: ?\\S`,
  `\\b(?:begin|end|start)(?: of)?[ _](?:system|new|hidden|assistant)?[ _]?(?:prompt|instructions?)\\b`,
]

/** No word of any language: encoded data. Addresses of pages have dots and colons, which end it. */
const BLOB = /[A-Za-z0-9+/_-]{80,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){60,}|(?:\\[ux][0-9a-fA-F]{2,6}){10,}/

const union = (sources: readonly string[]): RegExp =>
  new RegExp(sources.map((source) => `(?:${source})`).join('|'), 'u')
const JAPANESE_TALK = union(JAPANESE)
const LATIN_TALK = union(LATIN)

/** Patterns look at the beginning of what is no sentence at all. */
const JUDGED_LENGTH = 2_000

/** Whether a sentence speaks to a machine, however it is written: width, case, look-alikes and invisible letters make no difference. */
export function speaksToMachine(sentence: string): boolean {
  const visible = sentence.slice(0, JUDGED_LENGTH).replace(INVISIBLE, '')
  if (BLOB.test(visible)) return true
  const folded = unifyLookAlikes(unifyWidthAndCase(visible))
  return JAPANESE_TALK.test(folded.replace(/\s+/g, '')) || LATIN_TALK.test(folded.replace(/\s+/g, ' ').trim())
}

/** Sentences with what follows them up to the next, so that they make up the line again. English ones end before a space. */
const SENTENCE = /[^。！？!?.]*(?:[。！？!?]+[」』）)"”]*|\.(?=\s|$)["”)]*|\.|$)\s*/gu

/** 3.5 and U.S. are no ends: a point ends a sentence only before a space. */
function splitSentences(line: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const [piece] of line.matchAll(SENTENCE)) {
    open += piece
    if (/[。！？!?][」』）)"”]*\s*$|\.["”)]*\s+$/.test(piece)) {
      sentences.push(open)
      open = ''
    }
  }
  return open === '' ? sentences : [...sentences, open]
}

/** What else is asked for after a sentence that was cut: it belongs to the same talk. */
const FURTHER_REQUEST =
  /(?:ください|下さい|しろ|せよ|なさい|すること|書け|るな|くれ)[。！!」』\s]*$|^[\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]+$/u

function cutLine(line: string, found: string[]): string {
  let kept = ''
  let within = false
  for (const sentence of splitSentences(line)) {
    within = speaksToMachine(sentence) || (within && FURTHER_REQUEST.test(sentence.trim()))
    if (within) found.push(sentence.trim())
    else kept += sentence
  }
  return kept.trim()
}

const shorten = (passage: string): string =>
  passage.length > SHOWN_LENGTH ? `${passage.slice(0, SHOWN_LENGTH).toWellFormed()}…` : passage

/** A text (paragraphs, one a line) without the sentences that speak to a machine, and those. */
export function cutMachineTalk(text: string): { readonly text: string; readonly suspicious: readonly string[] } {
  const found: string[] = []
  const lines = text.split('\n').map((line) => cutLine(line, found))
  return {
    text: lines.filter((line) => line !== '').join('\n'),
    suspicious: [...new Set(found.filter((passage) => passage !== '').map(shorten))].slice(0, SHOWN_MAX),
  }
}
