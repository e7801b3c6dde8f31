import { messages } from '@shinobi/contract/messages'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { takeSuddenEnd } from './session.ts'

/**
 * Leads to /login when the session has ended suddenly, and returns whether it has. Called before a
 * text is sent, so that no member posts anonymously by mistake, and after it was refused for want
 * of a session, while its form is on the screen. A form with an image, which no draft keeps, stays:
 * its writer is told instead, by `onImage`.
 */
export function useLeadBack(onImage: (message: string) => void): (hasImage: boolean) => boolean {
  const navigate = useNavigate()
  return (hasImage) => {
    if (!takeSuddenEnd()) return false
    const { pathname, search, hash } = location
    if (hasImage) onImage(messages.session_expired_with_image)
    else void navigate(paths.login(pathname + search + hash))
    return true
  }
}
