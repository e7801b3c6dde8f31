import { useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { isMotionOff, onMotionChange, setMotionOff } from '../../ui/motion.ts'
import { Switch } from '../../ui/switch.tsx'
import styles from './display-panel.module.css'
import { KeyList } from './key-list.tsx'
import { choose, useDisplay, type Display } from './settings.ts'
import type { ApartProps } from './show-apart.tsx'

export { showApart } from './show-apart.tsx'

/** Beside the page on wide screens, below it on phones, so that every change is seen at once. */
const place = (): 'right' | 'bottom' => (matchMedia('(min-width: 600px)').matches ? 'right' : 'bottom')

/** 表示: how this browser shows the board. Every choice applies at once. */
export function DisplayPanel({ open, onClose }: ApartProps) {
  const [side] = useState(place)
  const [listsKeys, setListsKeys] = useState(false)
  const keys = useDisplay('keys')
  const send = useDisplay('send')
  const motionOff = useSyncExternalStore(onMotionChange, isMotionOff)
  return (
    <>
      <Dialog open={open} onClose={onClose} title="表示" side={side}>
        <div className={styles['panel']}>
          <Segments
            name="text"
            legend="文字"
            options={[
              ['small', '小'],
              ['medium', '中'],
              ['large', '大'],
              ['huge', '特大'],
            ]}
          />
          <Segments
            name="theme"
            legend="配色"
            options={[
              ['night', '夜'],
              ['paper', '紙'],
              ['system', '端末に合わせる'],
            ]}
          />
          <Segments
            name="density"
            legend="密度"
            options={[
              ['compact', '詰める'],
              ['roomy', 'ゆったり'],
            ]}
          />
          <Segments
            name="images"
            legend="画像"
            options={[
              ['show', '表示'],
              ['blur', 'ぼかす'],
              ['hide', '隠す'],
            ]}
          />
          <Segments
            name="send"
            legend="送信"
            options={[
              ['enter', 'Enter'],
              ['mod', 'Ctrl+Enter'],
            ]}
            hint={hintOfSending(send)}
          />
          <div className={styles['switches']}>
            <Switch checked={motionOff} onChange={setMotionOff}>
              演出を止める
            </Switch>
            <span className={styles['keys']}>
              <Switch checked={keys === 'on'} onChange={(on) => choose('keys', on ? 'on' : 'off')}>
                1文字のキーで操作する
              </Switch>
              <button type="button" className={styles['more']} onClick={() => setListsKeys(true)}>
                キーの一覧
              </button>
            </span>
          </div>
          <p className={styles['hint']}>すぐに反映し、このブラウザに保存します。</p>
        </div>
      </Dialog>
      <KeyList open={listsKeys} onClose={() => setListsKeys(false)} />
    </>
  )
}

const hintOfSending = (send: Display['send']): string => {
  if (matchMedia('(pointer: coarse)').matches) return '画面のキーボードではEnterは改行になり、ボタンで送信します。'
  return send === 'enter'
    ? 'Shift+Enterで改行します。変換を確定するEnterでは送信されません。'
    : 'Enterで改行します。Macでは⌘+Enterでも送信できます。'
}

/** A choice among a few words, side by side. */
function Segments<Name extends keyof Display>({
  name,
  legend,
  options,
  hint,
}: {
  name: Name
  legend: string
  options: readonly (readonly [value: Display[Name], label: string])[]
  hint?: ReactNode
}) {
  const chosen = useDisplay(name)
  const hintId = useId()
  return (
    <fieldset className={styles['group']} aria-describedby={hint === undefined ? undefined : hintId}>
      <legend className={styles['legend']}>{legend}</legend>
      <div className={styles['segments']}>
        {options.map(([value, label]) => (
          <label key={value} className={styles['segment']} data-value={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              onChange={() => choose(name, value)}
              className={styles['radio']}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}
