import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('the settings', () => {
  it('have defaults for a laptop', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      spamPosts: 50,
      spamWindowMinutes: 15,
    })
  })

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'board.example.jp'],
    ['DATABASE_URL', 'mysql://x'],
    ['SESSION_SECRET', 'short'],
    ['CONTACT_EMAIL', 'nobody'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'yes'],
    ['SPAM_POSTS', '0'],
    ['HOSTING_BADGE_LABEL', 'only a label'],
  ])('%s=%s stops the start with one line that names it', (name, value) => {
    const start = () => readConfig({ [name]: value })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(
      new RegExp(`^Setting ${name} cannot be used: it takes [^\n]+$|^Setting ${name} cannot be used: [^\n]+$`),
    )
  })

  it('that are empty count as not given', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null })
  })
})
