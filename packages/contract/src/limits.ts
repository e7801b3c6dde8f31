/**
 * Every limit of the board in one place, each with the reason it has this value.
 * Lengths are counted in graphemes (what a reader calls a character) by `text.ts`; the byte caps beside them
 * stop a few graphemes from carrying megabytes of combining marks. This file is free of dependencies, so that
 * the browser can use it without loading the schemas.
 */

/** A length in graphemes with a cap in UTF-8 bytes. */
export interface TextLimit {
  readonly min: number
  readonly max: number
  readonly maxBytes: number
}

/** Thread title. 100 is promised (docs/product.md#limits); three characters keep 「あ」 titles out of the lists. */
export const TITLE: TextLimit = { min: 3, max: 100, maxBytes: 2_000 }
/** Post body. 「草」 is a fine answer, so one character is enough; 4,000 is about ten screens of a phone. */
export const POST: TextLimit = { min: 1, max: 4_000, maxBytes: 48_000 }
/** Nickname of an anonymous visitor: fits one line beside number and time on a phone. */
export const NICKNAME: TextLimit = { min: 1, max: 20, maxBytes: 240 }
/** Member's name. Three characters keep single kanji from being squatted. */
export const USERNAME: TextLimit = { min: 3, max: 20, maxBytes: 240 }
/** Password. 8 is the floor of NIST SP 800-63B, 128 the ceiling that argon2id hashes without being abused. */
export const PASSWORD: TextLimit = { min: 8, max: 128, maxBytes: 512 }
/** Mail address, RFC 5321's maximum path length. */
export const EMAIL: TextLimit = { min: 3, max: 254, maxBytes: 254 }
/** Reason of a report: three characters ask for a word rather than a dot. */
export const REPORT_REASON: TextLimit = { min: 3, max: 500, maxBytes: 6_000 }
/** Search words: longer than any title; more would only cost the index. */
export const SEARCH: TextLimit = { min: 0, max: 100, maxBytes: 1_200 }
/** Terms of one search, split at spaces; each costs one index walk. */
export const SEARCH_TERMS_MAX = 5
/** Category name: the short ASCII-friendly handle used in URLs. */
export const CATEGORY_NAME: TextLimit = { min: 1, max: 40, maxBytes: 160 }
/** Category description: the label of its button. */
export const CATEGORY_DESCRIPTION: TextLimit = { min: 0, max: 200, maxBytes: 2_400 }
/** Combining marks on one base character; more is "zalgo" that runs over other posts. Kana voicing marks do not count. */
export const COMBINING_MARKS_MAX = 3
/** First characters of the opening text that a thread carries in lists. */
export const EXCERPT_LENGTH = 200

/** Image of a thread or post in bytes: 10 MB (docs/product.md#limits). */
export const IMAGE_MAX_BYTES = 10_485_760
/** Formats a visitor may attach: those that every browser shows; whatever comes in is decoded and re-encoded, never stored as sent. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
/** Decoded pixels of an image over all its frames: stops "decompression bombs" of a few kilobytes. */
export const IMAGE_MAX_PIXELS = 64_000_000
/**
 * The same for one frame that has to be held whole to be decoded (progressive JPEG, interlaced PNG, GIF), with up to eight bytes a
 * pixel. Cameras write none of these.
 */
export const IMAGE_MAX_PIXELS_WHOLE = 24_000_000
/** Longest edge in pixels that is taken, and how many times as long as the other it may be: a line of pixels shows nothing, and takes long. */
export const IMAGE_EDGE_MAX = 20_000
export const IMAGE_RATIO_MAX = 100
/** Longest edge in pixels that is kept. */
export const IMAGE_MAX_EDGE = 2_048
/** Longest edge in pixels of the small copy shown in lists and in threads before it is opened. */
export const IMAGE_THUMBNAIL_EDGE = 480
/** Profile image in bytes: 5 MB (docs/product.md#profile). */
export const PROFILE_IMAGE_MAX_BYTES = 5_242_880
/**
 * Largest message the socket takes: a 10 MB image is 13.98 MB as a data URL. Images up to 17 MB still get a polite `postError`;
 * only beyond that does the transport itself give up, as each connection may hold this much memory.
 */
export const SOCKET_MAX_BYTES = 24_000_000

/**
 * The post of one visitor with this number within the window below is refused as spam, and all after
 * it. The operator may set both.
 */
export const SPAM_POSTS = 50
/** Minutes of the spam window. */
export const SPAM_WINDOW_MINUTES = 15
/**
 * Posts of one IPv4 address within the same window. A carrier's NAT puts some 300 subscribers
 * behind one address, and in a live thread each writes about three times in 15 minutes. Whoever
 * throws cookies away gets 67 posts a minute out of it; a ban of the network ends that.
 */
export const SPAM_POSTS_PER_ADDRESS = 1_000
/**
 * An IPv6 /64, which is one household, may do this many times more than a visitor, and an IPv4
 * address too in everything but posts: there SPAM_POSTS_PER_ADDRESS counts.
 */
export const SPAM_ADDRESS_FACTOR = 4
/**
 * The same of an IPv6 /48: what one customer of a provider may hold, and at some mobile carriers a whole town. Above the 4 of an
 * address, below what does harm.
 */
export const SPAM_NETWORK_FACTOR = 16

/** What those who run the board give as a reason (others read it) and as a remark: a sentence, not an essay. */
export const MODERATION_REASON: TextLimit = { min: 1, max: 200, maxBytes: 2_400 }
export const MODERATION_NOTE: TextLimit = { min: 0, max: 200, maxBytes: 2_400 }
/** Words on the banner, and beside the notice of the read-only mode: two lines of a phone. */
export const BANNER: TextLimit = { min: 0, max: 200, maxBytes: 2_400 }
/** A banned word. Two characters and up would be wiser, but some banned signs are one. */
export const WORD: TextLimit = { min: 1, max: 60, maxBytes: 720 }
/** Harmless longer words of one rule. */
export const WORD_ALLOW_MAX = 50
/** Rules at most: the matcher's time does not grow with them, its memory does. */
export const WORDS_MAX = 20_000
/** A list of words to import, in characters (of UTF-16, as both ends count it): some twenty thousand words. */
export const WORD_IMPORT_BYTES = 200_000
/** Days that a word's trial and a ban's preview look back on. */
export const LOOK_BACK_DAYS = 7
/** Posts a trial looks at, at most. */
export const TRIAL_POSTS_MAX = 50_000
/** Longest ban with an end: ten years. */
export const BAN_HOURS_MAX = 87_600
/** Hours of a ban of a network unless somebody says otherwise: a carrier's NAT puts a town behind one. */
export const NETWORK_BAN_HOURS = 24
/** Longest time for which a reporter does not count, unless it is until somebody takes it back: a year. */
export const MUTE_HOURS_MAX = 8_760
/** Longest time for which a step of raid mode is set by hand, unless it is until somebody changes it: a week. */
export const SHIELD_MINUTES_MAX = 10_080
/** Longest temporary logging: 30 days. */
export const TRACE_HOURS_MAX = 720
/** Traces one reading shows: the newest. More at a time would be a list to take away rather than an answer to a question. */
export const TRACES_READ_MAX = 1_000
/** Hours in which what was done can be taken back, and a removed thread is still there. */
export const UNDO_HOURS = 24
/** Days for which the text and image of a removed post are kept, for complaints and authorities. */
export const REMOVED_KEPT_DAYS = 30
/** Hours for which a proof of work counts. */
export const PROOF_HOURS = 24
/**
 * Posts of one member or visitor that may wait for a moderator: more is a flood, which shall not bury what others wrote. Times
 * SPAM_ADDRESS_FACTOR is what an address may add to the queue in an hour: a browser that throws its cookie away is a new visitor.
 */
export const HELD_WAITING_MAX = 20
/** Days for which is known what became of something held; its text goes a day after the decision. */
export const HELD_KEPT_DAYS = 30
/** Pinned threads of a list: more is no list any more. */
export const PINNED_MAX = 5

/**
 * What each number of the settings may be, least and most. Wide on purpose, because boards differ; the ends only keep out what is no
 * limit at all (a million a minute) or what nobody would sit through (a day between two threads, a week in the queue).
 */
export const SETTING_RANGES = {
  spamPosts: [1, 1_000_000],
  spamPostsPerAddress: [1, 1_000_000],
  spamWindowMinutes: [1, 1_440],
  uploadsPerHour: [1, 1_000_000],
  postCooldownSeconds: [0, 3_600],
  threadCooldownSeconds: [0, 86_400],
  foldReporters: [0, 1_000],
  holdReleaseMinutes: [0, 10_080],
  newcomerHours: [0, 8_760],
  shieldPostsPerMinute: [1, 1_000_000],
  shieldThreadsPerMinute: [1, 1_000_000],
  shieldQuietMinutes: [1, 1_440],
  shieldCooldownSeconds: [1, 3_600],
  newsThreadsPerHour: [1, 1_000],
  newsTokensPerHour: [0, 100_000_000],
  newsTokensPerDay: [0, 100_000_000],
} as const

/** Items on a page of a list when `limit` is not given, and at most. */
export const PAGE_SIZE = 50
export const PAGE_SIZE_MAX = 100
/** Page sizes of the admin lists (docs/product.md#administration). */
export const ADMIN_USERS_PAGE = 20
export const ADMIN_THREADS_PAGE = 20
export const ADMIN_POSTS_PAGE = 50
/**
 * How far the lists of somebody who moderates some categories reach back: threads of theirs, and posts of the board to look for theirs
 * among. Totals by category are not kept, and nobody turns more pages; what is older is reached through its thread, search and reports.
 */
export const ADMIN_SCOPED_THREADS = 10_000
export const ADMIN_SCOPED_POSTS = 10_000
/** Rows that a filtered list finds at most, newest first: nobody reads on, and one more word finds fewer. */
export const ADMIN_FOUND = 1_000
/** What a writer's history shows of each kind: enough to see a habit at a sitting. */
export const WRITER_POSTS = 50
export const WRITER_THREADS = 20
export const WRITER_CASES = 20
/** Threads that are searched for what a writer wrote, those of the writer's last posts first. */
export const WRITER_REACH = 200
/** Categories on a page of their list. */
export const ADMIN_CATEGORIES_PAGE = 20
/** Threads that move in one transaction when their category is deleted: those who write into one of them wait for less than a blink. */
export const CATEGORY_MOVE_STEP = 200
/** Pages of the moderators' lists: what is read through at a sitting. */
export const CASES_PAGE = 20
export const HELD_PAGE = 20
export const BANS_PAGE = 50
export const WORDS_PAGE = 50
export const AUDIT_PAGE = 50

/** Name of a news source, shown as 出典 beside the title: one line of a phone. */
export const NEWS_NAME: TextLimit = { min: 1, max: 40, maxBytes: 480 }
/** Address of a feed or an article in characters. Longer ones are traps rather than addresses. */
export const NEWS_URL_CHARACTERS = 2_000
/** Minutes between two looks at a feed: no publisher asks to be read more often, and a day is as good as never. */
export const NEWS_INTERVAL_MINUTES = { min: 5, max: 1_440, usual: 30 } as const
/** An OPML file in characters: some two thousand feeds. */
export const NEWS_OPML_CHARACTERS = 500_000
/** Addresses of an OPML file that are told back as unusable; beside them stands how many there were. */
export const NEWS_UNUSABLE_MAX = 100
/** Days for which the text of an article is kept that leads nowhere any more; without it nothing can be summarised once more. */
export const NEWS_TEXT_DAYS = 30
/** Feeds that are read at most; each costs a few requests an hour. */
export const NEWS_SOURCES_MAX = 500
/** Stories and articles on a page of the administration. */
export const NEWS_PAGE = 20
/** Sentences of a summary: fewer tell too little, more are read by nobody. */
export const NEWS_SENTENCES_MIN = 3
export const NEWS_SENTENCES_MAX = 5
/** One of them. */
export const NEWS_SENTENCE: TextLimit = { min: 1, max: 200, maxBytes: 2_400 }

/** Trending: hours looked back on, and items shown (docs/product.md#thread-lists). */
export const TRENDING_WINDOW_HOURS = 48
export const TRENDING_LIMIT = 5
/** Hours after which a post or like weighs half as much in the trending score. */
export const TRENDING_HALF_LIFE_HOURS = 12
/** Featured categories in the sidebar (docs/product.md#categories). */
export const FEATURED_CATEGORIES = 6
/** Threads in a profile's list of joined rooms. */
export const PROFILE_ROOMS = 20

/** Random characters at the end of a generated name: some 28 million endings for each, so that a proposal is free. */
export const NICKNAME_SUFFIX_LENGTH = 5

/**
 * Threads in the list of liked ones: the newest. Older likes are hardly ever scrolled to, so their
 * marks are not loaded.
 */
export const LIKED_THREADS_MAX = 2_000
/** Liked posts of one thread: the newest; more than anybody marks in one. */
export const LIKED_POSTS_MAX = 5_000
/** Edge of the stored profile image in pixels: twice AVATAR_SIZE, for dense screens. */
export const PROFILE_IMAGE_EDGE = 240
/** Size of the avatar on the profile in pixels. */
export const AVATAR_SIZE = 120
/** Days for which a name that a member gave up stays theirs, so that nobody else can at once speak under it. */
export const FORMER_NAME_DAYS = 30
/** Minutes for which the link of a mail works: to set a new password, and to confirm an address. */
export const RESET_LINK_MINUTES = 60
export const VERIFY_LINK_MINUTES = 24 * 60

/** Milliseconds an error notice stays: one sentence is read in it. */
export const ERROR_NOTICE_MS = 3_000
/** Milliseconds a report notice stays: it is a few words long. */
export const REPORT_NOTICE_MS = 1_500
/** Milliseconds between a registration and the way to /profile, in which its banner is read. */
export const REGISTER_REDIRECT_MS = 1_500
/** Milliseconds that a part of the browser's script may take to come: slow lines get through, dead ones end. */
export const CHUNK_TIMEOUT_MS = 120_000
/** The 天照 animation: duration in milliseconds and number of flames. */
export const LIKE_ANIMATION_MS = 2_000
export const LIKE_FLAMES = 8

/** Socket: delays between reconnects and the time-out of a connection attempt, in milliseconds. */
export const SOCKET_RECONNECT_MS = 1_000
export const SOCKET_RECONNECT_MAX_MS = 5_000
export const SOCKET_TIMEOUT_MS = 20_000
/** Without a socket for this long the thread page polls instead, at this interval, in milliseconds. */
export const POLL_AFTER_MS = 5_000
