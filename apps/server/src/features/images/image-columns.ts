/**
 * Every JSON column of the schema, and the SQL for the key of the picture that it references; null
 * for columns without pictures. The collector deletes pictures that no row references, so a column
 * missing here would lose its pictures: images.collector.test.ts compares this list with the
 * schema. Pictures move from tables above to tables below (from a held post to a post, from a
 * member to a departure): in this order they are found even where the tables are read one after
 * another (Citus).
 */
export const IMAGE_COLUMNS = {
  'heldPosts.payload': `payload -> 'image' ->> 'key'`,
  'newsStories.image': `image ->> 'key'`,
  'users.picture': `picture ->> 'key'`,
  'departures.picture': `picture ->> 'key'`,
  'threads.image': `image ->> 'key'`,
  'posts.image': `image ->> 'key'`,
  'reports.evidence': `evidence ->> 'imageKey'`,

  // A copy of that of its thread.
  'threadHeads.image': null,

  'auditLog.details': null,
  'bannedWords.allow': null,
  'hidingRules.entry': null,
  'moderators.categoryIds': null,
  'newsArticles.document': null,
  'newsStories.corrections': null,
  'newsStories.findings': null,
  'newsStories.summary': null,
  'notebookEntries.entry': null,
  'secondFactors.recoveryHashes': null,
  'settings.value': null,
} as const satisfies Readonly<Record<string, string | null>>
