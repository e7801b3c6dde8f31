/**
 * Every JSON column of the schema, and the SQL for the key of the picture that it names; null where it names none. The collector takes
 * away what no row names, so a column that is missing here would cost its pictures: images.collector.test.ts compares this list with the
 * schema. Pictures move from tables above to tables below (a held post becomes a post, a member's picture that of a departure): in this
 * order they are found even where the tables are read one after another (Citus).
 */
export const IMAGE_COLUMNS = {
  'heldPosts.payload': `payload -> 'image' ->> 'key'`,
  'newsStories.image': `image ->> 'key'`,
  'users.picture': `picture ->> 'key'`,
  'departures.picture': `picture ->> 'key'`,
  'threads.image': `image ->> 'key'`,
  'posts.image': `image ->> 'key'`,
  'reports.evidence': `evidence ->> 'imageKey'`,

  'auditLog.details': null,
  'bannedWords.allow': null,
  'moderators.categoryIds': null,
  'newsArticles.document': null,
  'newsStories.corrections': null,
  'newsStories.findings': null,
  'newsStories.summary': null,
  'secondFactors.recoveryHashes': null,
  'settings.value': null,
} as const satisfies Readonly<Record<string, string | null>>
