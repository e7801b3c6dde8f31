import { useSyncExternalStore } from 'react'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { RuleForm, type Candidate } from '../../features/hiding/rule-form.tsx'
import { RuleList } from '../../features/hiding/rule-list.tsx'
import { subscribeRules } from '../../features/hiding/rules-changed.ts'
import { describeRule, hidingRules, KIND_LABELS, noHidingRules } from '../../features/hiding/rules.ts'
import { HidingSync } from '../../features/notebook/hiding-sync.tsx'
import { useNow } from '../../lib/clock.tsx'
import { useScripted } from '../../lib/use-scripted.ts'
import { NeedsScript } from '../../ui/needs-script.tsx'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import styles from './hiding-page.module.css'

const CANDIDATES: readonly Candidate[] = (['word', 'name', 'title', 'domain', 'pattern'] as const).map((kind) => ({
  kind,
  label: KIND_LABELS[kind],
  text: null,
}))

/** What the visitor hides (NG), and a form for more. */
export function HidingPage() {
  const scripted = useScripted()
  const rules = useSyncExternalStore(subscribeRules, hidingRules, noHidingRules)
  const now = useNow().getTime()
  const { notice, show, clear } = useTimedNotice()
  return (
    <>
      <PageHead
        title="NG設定"
        description="見たくない書き込みやスレッドを、自分の画面で隠すための設定です。"
        path={paths.hiding}
        noindex
      />
      <div className={`container ${styles['page']}`}>
        <h1 className="screen-title">NG設定</h1>
        <p className={styles['lead']}>
          見たくない書き込みやスレッドを隠します。ほかの人の画面は変わりません。設定はこのブラウザに保存され、会員はほかの端末でも使えます。書き込みの番号から開くメニューの「NG」でも隠せます。
        </p>
        <NeedsScript>この設定にはJavaScriptが必要です。</NeedsScript>
        <section aria-labelledby="hiding-add" className={styles['part']}>
          <h2 id="hiding-add">隠すものを加える</h2>
          <RuleForm
            candidates={CANDIDATES}
            threadId={null}
            onAdded={(rule) => show(`${describeRule(rule)}を隠します。`, 'success')}
          />
        </section>
        <section aria-labelledby="hiding-list" className={styles['part']}>
          <h2 id="hiding-list">いま隠しているもの</h2>
          {scripted && rules.length === 0 && <p className={styles['none']}>まだ何も隠していません。</p>}
          {rules.length > 0 && <RuleList rules={rules} now={now} />}
        </section>
        <HidingSync hasRules={rules.length > 0} />
      </div>
      <NoticeRegion notice={notice} onClose={clear} />
    </>
  )
}
