import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { takeSuddenEnd } from './session.ts'

/**
 * Leads to /login when the session has ended suddenly, and returns whether it does. Called before a
 * text is sent, so that no member posts anonymously by mistake. Not with an image, which would be
 * lost: its writer is told instead.
 */
export function useLeadBack(): () => boolean {
  const navigate = useNavigate()
  return () => {
    const isEnded = takeSuddenEnd()
    const { pathname, search, hash } = location
    if (isEnded) void navigate(paths.login(pathname + search + hash))
    return isEnded
  }
}
