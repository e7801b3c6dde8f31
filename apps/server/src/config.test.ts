import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('the settings', () => {
  it('have defaults for a laptop', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      minFreeBytes: 500_000_000,
      spamPosts: 50,
      spamPostsPerAddress: 1_000,
      spamWindowMinutes: 15,
    })
  })

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'board.example.jp'],
    ['PUBLIC_URL', 'https://board.example.jp/board'],
    ['PUBLIC_URL', 'https://board.example.jp/?a=b'],
    ['PUBLIC_URL', 'https://user@board.example.jp'],
    ['DATABASE_URL', 'mysql://x'],
    ['SESSION_SECRET', 'short'],
    ['CONTACT_EMAIL', 'nobody'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['SPAM_POSTS', '0'],
    ['SPAM_POSTS_PER_ADDRESS', '0'],
    ['MIN_FREE_MB', '0.5'],
    ['HOSTING_BADGE_LABEL', 'only a label'],
    ['GOOGLE_CLIENT_ID', 'not an id'],
    ['GOOGLE_JWKS_URL', 'www.googleapis.com'],
    ['SMTP_URL', 'mail.example.jp'],
    ['SMTP_URL', 'smtp://mail.example.jp'],
    ['MAIL_FROM', '忍板'],
    ['ADMIN_USERNAME', 'kaede'],
    ['ADMIN_USERNAME', 'kaede@example'],
    ['ADMIN_EMAIL', 'kaede'],
    ['ADMIN_PASSWORD', 'short'],
    ['REGISTRATIONS_PER_HOUR', '0'],
    ['SLOW_QUERY_MS', '-1'],
    ['IMAGES_MB_PER_DAY', '0'],
    ['IMAGES_MAX_GB', '1.5'],
    ['S3_ENDPOINT', 's3.example.jp'],
    ['S3_ENDPOINT', 'https://key:secret@s3.example.jp'],
    ['S3_BUCKET', 'Not A Bucket'],
    ['SLOW_REQUEST_MS', '0.5s'],
    ['NICKNAMES_KEEP_DAYS', '-1'],
    ['VISITORS_KEEP_DAYS', '180d'],
    ['REQUESTS_KEEP_DAYS', '36501'],
    ['MODERATION_KEEP_DAYS', '6'],
    ['LLM_PRICES', 'small 0.15'],
    ['LLM_PRICES', 'small 0.15 -1'],
    ['LLM_CURRENCY', 'yen'],
  ])('%s=%s stops the start with one line that names it', (name, value) => {
    const start = () => readConfig({ [name]: value })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(
      new RegExp(`^Setting ${name} cannot be used: it takes [^\n]+$|^Setting ${name} cannot be used: [^\n]+$`),
    )
  })

  it("refuse a model's address with credentials, name the setting for the key, and do not repeat the secret", () => {
    for (const credentials of ['sk-secret', ':sk-secret', 'user:sk-secret']) {
      const env = { LLM_BASE_URL: `https://${credentials}@llm.example/v1`, LLM_MODEL: 'm' }
      expect(() => readConfig(env)).toThrow(/^Setting LLM_BASE_URL cannot be used: (?!.*secret).*LLM_API_KEY/)
    }
    expect(() => readConfig({ LLM_BASE_URL: 'llm.example', LLM_MODEL: 'm' })).toThrow('Setting LLM_BASE_URL')
  })

  it.each(['https://board.example.jp/', 'HTTPS://Board.example.JP', 'https://board.example.jp:443'])(
    'take %s for the address that browsers show',
    (url) => {
      expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe('https://board.example.jp')
    },
  )

  it.each(['LLM_VERIFIER_MODEL', 'LLM_EMBEDDING_MODEL'])('take %s only with an endpoint', (name) => {
    expect(() => readConfig({ [name]: 'small' })).toThrow(`Setting ${name} cannot be used: it requires LLM_BASE_URL`)
  })

  it('embed no articles unless a model is named for it', () => {
    const llm = { LLM_BASE_URL: 'http://localhost:11434/v1', LLM_MODEL: 'large' }
    expect(readConfig(llm).llm).toMatchObject({ verifierModel: 'large', embeddingModel: null })
    expect(readConfig({ ...llm, LLM_EMBEDDING_MODEL: 'bge-m3' }).llm?.embeddingModel).toBe('bge-m3')
  })

  it('take the prices of several models', () => {
    const { llmPrices } = readConfig({ LLM_PRICES: 'small 0.15 0.6, qwen3:8b 0 0', LLM_CURRENCY: 'JPY' })
    expect(llmPrices?.currency).toBe('JPY')
    expect(Object.fromEntries(llmPrices!.ofModel)).toEqual({
      small: { input: 0.15, output: 0.6 },
      'qwen3:8b': { input: 0, output: 0 },
    })
    expect(readConfig({}).llmPrices).toBeNull()
  })

  it('accept a bucket for pictures with all its settings or with none', () => {
    const s3 = { S3_ENDPOINT: 'https://s3.example.jp/', S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'id' }
    expect(() => readConfig(s3)).toThrow(/^Setting S3_ENDPOINT cannot be used: .*S3_SECRET_ACCESS_KEY/)
    expect(readConfig({ ...s3, S3_SECRET_ACCESS_KEY: 'secret' }).s3).toEqual({
      ...{ endpoint: 'https://s3.example.jp', region: 'us-east-1', bucket: 'pictures' },
      ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
    })
    expect(readConfig({}).s3).toBeNull()
    expect(readConfig({ IMAGES_MAX_GB: '20' }).imagesMaxBytes).toBe(20_000_000_000)
    expect(readConfig({ IMAGES_MAX_GB: '0' }).imagesMaxBytes).toBeNull()
  })

  it('send mails from MAIL_FROM, or else from CONTACT_EMAIL', () => {
    const mail = { SMTP_URL: 'smtps://user:pass@mail.example.jp:465', CONTACT_EMAIL: 'contact@example.jp' }
    expect(readConfig(mail)).toMatchObject({ smtpUrl: mail.SMTP_URL, mailFrom: 'contact@example.jp' })
    expect(readConfig({ ...mail, MAIL_FROM: 'board@example.jp' }).mailFrom).toBe('board@example.jp')
  })

  it('define the first administrator with all three settings, or none', () => {
    const admin = { ADMIN_USERNAME: '管理人', ADMIN_EMAIL: 'kanri@example.jp', ADMIN_PASSWORD: '忍びの合言葉 42' }
    expect(readConfig(admin).firstAdmin).toEqual({
      username: '管理人',
      email: 'kanri@example.jp',
      password: '忍びの合言葉 42',
    })
    expect(readConfig({}).firstAdmin).toBeNull()
  })

  it('count as unset when they are empty', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null })
  })
})
