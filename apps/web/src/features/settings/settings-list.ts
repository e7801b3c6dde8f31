/** Labels and descriptions of the settings, in the order of the screen. */
import { STEP_NAMES } from '../shields/step-names.ts'
import type { Setting } from './settings-form.ts'

export interface SettingDetails {
  name: Setting
  label: string
  hint: string
  /** For numbers. */
  unit?: string
  /** Names of the values, where there are several. */
  steps?: readonly string[]
}

/** The steps that the board takes automatically. */
const steps = STEP_NAMES.slice(1, -1)

export const SETTING_GROUPS: readonly { title: string; settings: readonly SettingDetails[] }[] = [
  {
    title: 'お知らせ',
    settings: [{ name: 'bannerText', label: '全ページに出すお知らせ', hint: '空にすると出ません。2行くらいまで。' }],
  },
  {
    title: '読み取り専用',
    settings: [
      {
        name: 'readOnly',
        label: '板を読み取り専用にする',
        hint: '書き込み、登録、いいね、通報、プロフィールの変更を止めます。閲覧、ログイン、管理画面は使えます。',
      },
      {
        name: 'readOnlyText',
        label: '読み取り専用の間に添える言葉',
        hint: '理由や再開の時刻など。全ページの案内の下に出ます。空でもかまいません。',
      },
    ],
  },
  {
    title: 'スレッド',
    settings: [
      {
        name: 'postLimit',
        label: '書き込みの上限',
        hint: 'この件数の書き込みで、スレッドは過去ログになります。カテゴリごとの上限は「カテゴリ」で決めます。',
        unit: '件',
      },
    ],
  },
  {
    title: '専ブラ',
    settings: [
      {
        name: 'gateway',
        label: '専ブラで読み書きできる',
        hint: '2ちゃんねる用のブラウザ（JDim、ChMateなど）向けの入口です。書き込みには同じ規則が効きます。',
      },
    ],
  },
  {
    title: '連投と画像',
    settings: [
      {
        name: 'spamPosts',
        label: '連投の上限',
        hint: '下の時間内に1人が書き込むと、この件数目から止めます。',
        unit: '件',
      },
      {
        name: 'spamPostsPerAddress',
        label: '同じ回線の上限',
        hint: '1つのIPv4アドレスから下の時間内に書き込める件数。携帯の回線では数百人が1つのアドレスを使います。',
        unit: '件',
      },
      { name: 'spamWindowMinutes', label: '連投を数える時間', hint: 'この時間内の件数で判定します。', unit: '分' },
      {
        name: 'postCooldownSeconds',
        label: '書き込みの間隔',
        hint: '同じ人の次の書き込みまで。0で制限なし。',
        unit: '秒',
      },
      {
        name: 'threadCooldownSeconds',
        label: 'スレッド作成の間隔',
        hint: '同じ人の次のスレッドまで。0で制限なし。',
        unit: '秒',
      },
      {
        name: 'ownDeleteMinutes',
        label: '書いた人による削除',
        hint: '書き込んでからこの時間、書いた人が削除できます。0で削除できません。',
        unit: '分',
      },
      { name: 'uploadsPerHour', label: '画像の上限', hint: '同じ人が1時間に送れる画像。', unit: '枚' },
    ],
  },
  {
    title: '通報と確認待ち',
    settings: [
      {
        name: 'foldReporters',
        label: '折りたたむ通報者の数',
        hint: 'この人数が通報した書き込みを折りたたみます。0で折りたたみません。',
        unit: '人',
      },
      {
        name: 'holdReleaseMinutes',
        label: '確認待ちの自動公開',
        hint: '結界で止めた書き込みを、誰も判断しないとき公開するまで。0で公開しません。',
        unit: '分',
      },
    ],
  },
  {
    title: '結界',
    settings: [
      { name: 'shieldAutomatic', label: '自動で上げ下げする', hint: '止めると、手動で決めた段階だけが効きます。' },
      {
        name: 'shieldPostsPerMinute',
        label: '書き込みの勢い',
        hint: 'カテゴリの1分間の書き込みがこの数になると、その段階に上げます。断った書き込みは10件で1件と数えます。',
        unit: '件／分',
        steps,
      },
      {
        name: 'shieldThreadsPerMinute',
        label: 'スレッドの勢い',
        hint: '1分間の新しいスレッドがこの数になると、その段階に上げます。',
        unit: '件／分',
        steps,
      },
      {
        name: 'shieldQuietMinutes',
        label: '段階を下げるまでの時間',
        hint: '勢いがこの時間おさまると、1段階下げます。',
        unit: '分',
      },
      {
        name: 'shieldCooldownSeconds',
        label: '結界中の書き込み間隔',
        hint: '段階1以上で、同じ人の次の書き込みまで。常連は半分。',
        unit: '秒',
      },
      {
        name: 'newcomerHours',
        label: '新しい会員とみなす時間',
        hint: '登録からこの時間は、通報を同じ回線の人と合わせて1人と数えます。',
        unit: '時間',
      },
    ],
  },
  {
    title: '忍法帖（0は全員、21は誰にも開きません）',
    settings: [
      {
        name: 'levelLinks',
        label: 'リンク',
        hint: 'このレベルから、書いたURLを押せるようになります。',
        unit: 'レベル',
      },
      {
        name: 'levelImages',
        label: '画像',
        hint: '初めての方の画像を確認するカテゴリで、このレベルから確認なしに載せます。',
        unit: 'レベル',
      },
      {
        name: 'levelThreads',
        label: '続けてスレッド',
        hint: 'このレベルから、スレッドの間隔を置きません。',
        unit: 'レベル',
      },
      {
        name: 'levelCooldown',
        label: '短い間隔',
        hint: 'このレベルから、書き込みの間隔を半分にします。',
        unit: 'レベル',
      },
      {
        name: 'levelWords',
        label: '禁止語の確認',
        hint: 'このレベルから、「確認待ち」の禁止語を含む書き込みを公開し、通報に載せます。',
        unit: 'レベル',
      },
      {
        name: 'levelCopies',
        label: '似た書き込み',
        hint: 'ほかの2人が1日以内に書いたものとほぼ同じ文章（40字以上）を、このレベルから確認なしに載せます。0は比べません。',
        unit: 'レベル',
      },
      {
        name: 'levelOwner',
        label: 'スレ主',
        hint: 'このレベルから、自分の立てたスレッドで追記、折りたたみ、IDの停止、スレッドを閉じることができます。21で誰も使えません。',
        unit: 'レベル',
      },
      {
        name: 'levelRaid',
        label: '結界',
        hint: 'このレベルから常連とみなし、結界の間も自動の確認なしに書き込めます。',
        unit: 'レベル',
      },
    ],
  },
  {
    title: 'ニュース',
    settings: [
      { name: 'newsActive', label: 'ニュースを動かす', hint: '止めると、収集・要約・掲載のすべてが止まります。' },
      { name: 'newsApproval', label: '掲載の前に承認する', hint: '管理者が「ニュース」で承認した記事だけを載せます。' },
      {
        name: 'newsRiskApproval',
        label: '人の名誉にかかわる要約は承認する',
        hint: '名前のある人の死・病気・犯罪・疑いを伝えるAI要約は、承認するまで載せません。切ると、誤りがそのまま人を傷つけるおそれがあります。',
      },
      {
        name: 'newsThreadsPerHour',
        label: '1時間に立てる数',
        hint: 'これを超える記事は、次の時間を待ちます。',
        unit: '件',
      },
      {
        name: 'newsTokensPerHour',
        label: '1時間に使うトークン',
        hint: '要約に使う言語モデルの上限。0で使いません。',
        unit: 'トークン',
      },
      {
        name: 'newsTokensPerDay',
        label: '24時間に使うトークン',
        hint: '同じ上限の、24時間の分。0で使いません。',
        unit: 'トークン',
      },
    ],
  },
  {
    title: '運営',
    settings: [
      {
        name: 'requireSecondFactor',
        label: '管理者に二段階認証を必須にする',
        hint: '設定していない管理者は、管理画面を使えなくなります。自分が先に設定してください。',
      },
      {
        name: 'requireModeratorSecondFactor',
        label: 'モデレーターに二段階認証を必須にする',
        hint: '設定していないモデレーターは、管理画面を使えなくなります。',
      },
    ],
  },
]
