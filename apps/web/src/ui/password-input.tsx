import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { IconButton } from './button.tsx'
import { TextInput } from './field.tsx'
import { EyeIcon, EyeShutIcon } from './icons.tsx'
import styles from './password-input.module.css'

/**
 * A password field that can show its text. Submitting the form hides it again, so that it neither
 * stays on the screen nor is stored by the browser as ordinary text.
 */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  const wrap = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)

  useEffect(() => {
    const form = wrap.current?.closest('form')
    const cover = () => setShown(false)
    form?.addEventListener('submit', cover)
    return () => form?.removeEventListener('submit', cover)
  }, [])

  return (
    <span ref={wrap} className={styles['wrap']}>
      <TextInput
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...props}
        type={shown ? 'text' : 'password'}
        className={styles['input']}
      />
      <IconButton
        label={shown ? 'パスワードを隠す' : 'パスワードを表示'}
        className={styles['eye']}
        // A press must not take focus away from the field, which would close the on-screen
        // keyboard.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeIcon /> : <EyeShutIcon />}
      </IconButton>
    </span>
  )
}
