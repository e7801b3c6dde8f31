/**
 * Every limit of the board, each with the reason for its value. `text.ts` counts lengths in
 * graphemes (what a reader calls a character); the byte caps keep a few graphemes from carrying
 * megabytes of combining marks. This file is free of dependencies, so that the browser can use it
 * without loading the schemas.
 */

/** A length in graphemes with a cap in UTF-8 bytes. */
export interface TextLimit {
  readonly min: number
  readonly max: number
  readonly maxBytes: number
}

/**
 * Thread title. 100 is promised (docs/product.md#limits); a minimum of three keeps titles such as
 * 「あ」 out of the lists.
 */
export const TITLE: TextLimit = { min: 3, max: 100, maxBytes: 2_000 }
/**
 * Post body. 「草」 is a fine answer, so one character is enough; 4,000 is about ten screens of a
 * phone.
 */
export const POST: TextLimit = { min: 1, max: 4_000, maxBytes: 48_000 }
/** Nickname of an anonymous visitor: fits one line beside number and time on a phone. */
export const NICKNAME: TextLimit = { min: 1, max: 20, maxBytes: 240 }
/**
 * Key of a tripcode, behind the # of a name: long enough for a sentence, which is hard to guess.
 */
export const TRIP_KEY: TextLimit = { min: 1, max: 100, maxBytes: 400 }
/** Member's name. Three characters keep single kanji from being squatted. */
export const USERNAME: TextLimit = { min: 3, max: 20, maxBytes: 240 }
/**
 * Password. 8 is the floor of NIST SP 800-63B, 128 the ceiling that argon2id hashes without being
 * abused.
 */
export const PASSWORD: TextLimit = { min: 8, max: 128, maxBytes: 512 }
/** Mail address, RFC 5321's maximum path length. */
export const EMAIL: TextLimit = { min: 3, max: 254, maxBytes: 254 }
/** Reason of a report: three characters ask for a word rather than a dot. */
export const REPORT_REASON: TextLimit = { min: 3, max: 500, maxBytes: 6_000 }
/** Search words: longer than any title. A longer query would only cost index lookups. */
export const SEARCH: TextLimit = { min: 0, max: 100, maxBytes: 1_200 }
/** Terms of one search, split at spaces; each costs one walk of the index. */
export const SEARCH_TERMS_MAX = 5
/** Characters of the excerpt that shows why a thread or post was found: two lines of a phone. */
export const SEARCH_EXCERPT = 120
/** Found posts of a thread are counted up to here in a list: 「100件以上」. */
export const SEARCH_HITS_MAX = 100
/** Found posts on one page when a thread is searched. */
export const FIND_PAGE = 100
/** Found posts of a thread that are counted and can be walked through: as many as it may have. */
export const FIND_HITS_MAX = 1_000
/** Category name: the short ASCII-friendly handle used in URLs. */
export const CATEGORY_NAME: TextLimit = { min: 1, max: 40, maxBytes: 160 }
/** Category description: the label of its button. */
export const CATEGORY_DESCRIPTION: TextLimit = { min: 0, max: 200, maxBytes: 2_400 }
/**
 * Combining marks on one base character. More of them ("zalgo") overlap neighbouring posts. Kana
 * voicing marks do not count.
 */
export const COMBINING_MARKS_MAX = 3
/** First characters of the opening post that lists show with a thread. */
export const EXCERPT_LENGTH = 200

/** Image of a thread or post in bytes: 10 MB (docs/product.md#limits). */
export const IMAGE_MAX_BYTES = 10_485_760
/**
 * Formats that a visitor may attach: those that every browser shows. Uploads are always decoded and
 * re-encoded, never stored as sent.
 */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
/**
 * Decoded pixels of an image over all its frames: stops "decompression bombs" of a few kilobytes.
 */
export const IMAGE_MAX_PIXELS = 64_000_000
/**
 * The same for a frame that has to be held in memory as a whole to be decoded (progressive JPEG,
 * interlaced PNG, GIF), with up to eight bytes a pixel. Cameras write none of these formats.
 */
export const IMAGE_MAX_PIXELS_WHOLE = 24_000_000
/**
 * Longest accepted edge in pixels, and the largest accepted ratio of the edges: a picture one pixel
 * wide shows nothing and takes long to decode.
 */
export const IMAGE_EDGE_MAX = 20_000
export const IMAGE_RATIO_MAX = 100
/** Longest edge in pixels of a stored image. */
export const IMAGE_MAX_EDGE = 2_048
/**
 * Pixels of a stored animation over all its frames; one with more is made smaller. Each frame is
 * encoded, so that the worst 16 million take two seconds of a processor.
 */
export const IMAGE_ANIMATION_PIXELS = 16_000_000
/** Longest edge in pixels of the small copy shown in lists and in threads before it is opened. */
export const IMAGE_THUMBNAIL_EDGE = 480
/** Profile image in bytes: 5 MB (docs/product.md#profile). */
export const PROFILE_IMAGE_MAX_BYTES = 5_242_880
/**
 * Largest message that the socket accepts: a 10 MB image is 13.98 MB as a data URL. Images of up to
 * 17 MB still get a `postError`; above that the transport closes the connection, because each
 * connection may hold this much memory.
 */
export const SOCKET_MAX_BYTES = 24_000_000

/**
 * The number of the first post of one visitor within the window below that is refused as spam; so
 * are all after it. The operator may set both.
 */
export const SPAM_POSTS = 50
/** Minutes of the spam window. */
export const SPAM_WINDOW_MINUTES = 15
/**
 * Posts of one IPv4 address within the same window. A carrier's NAT puts some 300 subscribers
 * behind one address, and in a live thread each writes about three times in 15 minutes. A client
 * that discards its cookies gets 67 posts a minute out of it; a ban of the network ends that.
 */
export const SPAM_POSTS_PER_ADDRESS = 1_000
/**
 * An IPv6 /64, which is one household, may do this many times as much as a visitor. So may an IPv4
 * address, except for posts: there SPAM_POSTS_PER_ADDRESS applies.
 */
export const SPAM_ADDRESS_FACTOR = 4
/**
 * The same factor for an IPv6 /48, which one customer of a provider may hold, and at some mobile
 * carriers a whole town. It is above the 4 of an address and below what harms the board.
 */
export const SPAM_NETWORK_FACTOR = 16

/** Longer harmless words that one rule exempts. */
export const WORD_ALLOW_MAX = 50
/** Maximum number of rules: they do not slow the matcher down, but they take memory. */
export const WORDS_MAX = 20_000
/**
 * A word list to import, in characters (UTF-16 units, as both ends count): about twenty thousand
 * words.
 */
export const WORD_IMPORT_BYTES = 200_000
/** Days that a trial of a word and the preview of a ban look back on. */
export const LOOK_BACK_DAYS = 7
/** Posts that a trial of a word examines at most. */
export const TRIAL_POSTS_MAX = 50_000
/** Longest ban with an end: ten years. */
export const BAN_HOURS_MAX = 87_600
/** Default hours of a network ban: a carrier's NAT puts a whole town behind one address. */
export const NETWORK_BAN_HOURS = 24
/** Longest time-limited mute of a reporter: a year. A mute without an end is possible too. */
export const MUTE_HOURS_MAX = 8_760
/**
 * Longest time-limited step of raid mode set by hand: a week. A step without an end is possible
 * too.
 */
export const SHIELD_MINUTES_MAX = 10_080
/** Longest IP logging: 30 days. */
export const TRACE_HOURS_MAX = 720
/**
 * Log entries that one reading of the IP log shows: the newest. More would turn an answer to a
 * question into an export.
 */
export const TRACES_READ_MAX = 1_000
/** Hours in which an action can be undone and a removed thread is still in the database. */
export const UNDO_HOURS = 24
/** Days for which the text and image of a removed post are kept, for complaints and authorities. */
export const REMOVED_KEPT_DAYS = 30
/** Hours for which a solved proof of work is valid. */
export const PROOF_HOURS = 24
/**
 * Posts of one member or visitor that may wait for a moderator. More is a flood, which must not
 * bury the posts of others. An address may add this many times SPAM_ADDRESS_FACTOR to the queue in
 * an hour, because a browser that discards its cookie counts as a new visitor, and an IPv6 /48 this
 * many times SPAM_NETWORK_FACTOR.
 */
export const HELD_WAITING_MAX = 20
/**
 * Days for which the outcome of a held post can be looked up; its text is deleted a day after the
 * decision.
 */
export const HELD_KEPT_DAYS = 30
/** Maximum pinned threads of a list: with more, pins stop standing out. */
export const PINNED_MAX = 5

/** The highest level of 忍法帖: three weeks of clean days show a habit; more would only be a rank. */
export const LEVEL_MAX = 20
/** Words of a phrase that moves a level: with 2,048 to choose from, 66 bits. */
export const LEVEL_PHRASE_WORDS = 6
/** Hours for which such a phrase works: enough to walk to the other device. */
export const LEVEL_PHRASE_HOURS = 24
/** The longest phrase as typed, in characters (UTF-16 units): six words, with room for spaces. */
export const LEVEL_PHRASE_CHARACTERS = 200
/** Days for which removals of posts from before a move lower the moved level. */
export const LEVEL_MOVE_DAYS = 30

/**
 * Posts that a thread takes before it is closed, unless the operator or its category sets another
 * number. A thread of this size is read in one evening, and 2ch has made it the custom.
 */
export const THREAD_POSTS = 1_000

/** Items on a page of a list when `limit` is not given, and at most. */
export const PAGE_SIZE = 50
export const PAGE_SIZE_MAX = 100
/** Page sizes of the admin lists (docs/product.md#administration). */
export const ADMIN_USERS_PAGE = 20
export const ADMIN_THREADS_PAGE = 20
export const ADMIN_POSTS_PAGE = 50
/**
 * How far back the lists of a moderator of some categories reach: threads of these categories, and
 * posts of the board among which theirs are searched. Totals by category are not kept, and hardly
 * anybody turns more pages; older items are reached through their thread, search and reports.
 */
export const ADMIN_SCOPED_THREADS = 10_000
export const ADMIN_SCOPED_POSTS = 10_000
/**
 * Rows that a filtered list finds at most, newest first: a narrower filter is quicker than reading
 * on.
 */
export const ADMIN_FOUND = 1_000
/** Items of each kind in a writer's history: enough to recognise a habit. */
export const WRITER_POSTS = 50
export const WRITER_THREADS = 20
export const WRITER_CASES = 20
/** Threads that are searched for a writer's posts, those of the latest posts first. */
export const WRITER_REACH = 200
/** Categories on a page of their list. */
export const ADMIN_CATEGORIES_PAGE = 20
/**
 * Threads that move in one transaction when their category is deleted. The number keeps writers to
 * these threads waiting for only some milliseconds.
 */
export const CATEGORY_MOVE_STEP = 200
/** Items on a page of the moderators' lists: what is read in one go. */
export const CASES_PAGE = 20
export const HELD_PAGE = 20
export const BANS_PAGE = 50
export const WORDS_PAGE = 50
export const AUDIT_PAGE = 50

/**
 * Maximum characters of the address of a feed or an article. Longer addresses are usually crawler
 * traps.
 */
export const NEWS_URL_CHARACTERS = 2_000
/** An OPML file in characters: about two thousand feeds. */
export const NEWS_OPML_CHARACTERS = 500_000
/** Unusable addresses of an OPML file that the answer lists; it also says how many there were. */
export const NEWS_UNUSABLE_MAX = 100
/**
 * Days for which the text of an article that no story uses any more is kept. Without the text the
 * article cannot be summarised again.
 */
export const NEWS_TEXT_DAYS = 30
/** Maximum number of feeds; each costs a few requests an hour. */
export const NEWS_SOURCES_MAX = 500
/** Stories and articles on a page of the administration. */
export const NEWS_PAGE = 20
/** Sentences of a summary: fewer say too little, and readers skip longer ones. */
export const NEWS_SENTENCES_MIN = 3
export const NEWS_SENTENCES_MAX = 5
/** Sentences that the verifier must bear out. */
export const NEWS_VERIFIED_MIN = 2

/** Trending: the window in hours, and the number of items shown (docs/product.md#thread-lists). */
export const TRENDING_WINDOW_HOURS = 48
export const TRENDING_LIMIT = 5
/** Hours after which a post or like weighs half as much in the trending score. */
export const TRENDING_HALF_LIFE_HOURS = 12
/**
 * Threads that 勢い順 sorts: those with the newest posts. A thread that is not among them has no speed
 * worth listing, and to sort the whole board would cost as much as the board is large.
 */
export const SPEED_THREADS = 2_000
/** Featured categories in the sidebar (docs/product.md#categories). */
export const FEATURED_CATEGORIES = 6
/** Threads in a profile's list of joined rooms. */
export const PROFILE_ROOMS = 20

/**
 * Random characters at the end of a generated name: about 28 million endings per name, so that a
 * proposal is almost never taken.
 */
export const NICKNAME_SUFFIX_LENGTH = 5

/**
 * Threads in the list of liked ones: the newest. Older likes are hardly ever scrolled to, so their
 * marks are not loaded.
 */
export const LIKED_THREADS_MAX = 2_000
/** Liked posts of one thread: the newest. Hardly anybody likes more in one thread. */
export const LIKED_POSTS_MAX = 5_000
/** Edge of the stored profile image in pixels: twice AVATAR_SIZE, for dense screens. */
export const PROFILE_IMAGE_EDGE = 240
/** Size of the avatar on the profile in pixels. */
export const AVATAR_SIZE = 120
/**
 * Days for which a former name of a member stays reserved, so that nobody else can use it right
 * after the change.
 */
export const FORMER_NAME_DAYS = 30
/**
 * Minutes for which the link in a mail is valid: to set a new password, and to confirm an address.
 */
export const RESET_LINK_MINUTES = 60
export const VERIFY_LINK_MINUTES = 24 * 60

/** Milliseconds that an error notice stays: enough to read one sentence. */
export const ERROR_NOTICE_MS = 3_000
/** Milliseconds that a report notice stays: enough to read a few words. */
export const REPORT_NOTICE_MS = 1_500
/**
 * Milliseconds between a registration and the redirect to /profile, in which the visitor reads the
 * banner.
 */
export const REGISTER_REDIRECT_MS = 1_500
/**
 * Milliseconds after which loading a part of the browser's script fails: slow connections finish in
 * time, dead ones end.
 */
export const CHUNK_TIMEOUT_MS = 120_000
/**
 * Threads whose read position a browser keeps: years of reading for most, and little enough to be
 * read at once.
 */
export const READING_RECORDS_MAX = 2_000
/**
 * Threads that a browser keeps for reading without a network: those opened last. Some 10 MB, and
 * ten times as much if all of them are full.
 */
export const OFFLINE_THREADS_MAX = 200
/** Posts of each of them. */
export const OFFLINE_POSTS_MAX = 1_000
/** Posts that wait in a browser for the server: an evening without a network. */
export const UNSENT_MAX = 20
/** Milliseconds after which a waiting post is not sent without asking: its talk has moved on. */
export const UNSENT_ASK_AFTER_MS = 24 * 3_600_000
/** Milliseconds after which it is removed, as a draft is. */
export const UNSENT_KEEP_MS = 30 * 24 * 3_600_000
/** Threads of which one call tells the positions: a screen or two of the notebook. */
export const POSITIONS_MAX = 100
/**
 * Threads of a list of the notebook that are kept up to date while it is open, in calls of
 * POSITIONS_MAX. Of the others it shows what the browser knows.
 */
export const NOTEBOOK_LIVE_MAX = 500
/** Rows of the notebook that are shown at first, and with each 「さらに表示」. */
export const NOTEBOOK_ROWS = 100
/** Milliseconds between two refreshes of the open notebook. */
export const NOTEBOOK_REFRESH_MS = 30_000
/** A file of the notebook: READING_RECORDS_MAX records take about 1 MB. */
export const NOTEBOOK_FILE_BYTES = 5 * 1024 * 1024
/** Entries in one call of the notebook of a member. */
export const NOTEBOOK_BATCH = 100
/** Own posts that a member's notebook knows of one thread. */
export const NOTEBOOK_OWN_POSTS_MAX = 1_000
/**
 * Rules of hiding (NG) of a browser, and of a member: every post on screen is compared with all of
 * them.
 */
export const HIDING_RULES_MAX = 500
/** Text of a rule: 200 kanji, or as many emoji, with what joins some of them. */
export const HIDING_TEXT: TextLimit = { min: 1, max: 200, maxBytes: 800 }
/**
 * Rows that a member's rules take, with those that were removed, which the other devices must hear
 * of: less than a megabyte.
 */
export const HIDING_ROWS_MAX = 1_000
/** Changed rules in one call: less than half of what a request may have. */
export const HIDING_BATCH = 100
/** More than any thread has posts. */
export const POST_NUMBER_MAX = 1_000_000
/** The 天照 animation: duration in milliseconds and number of flames. */
export const LIKE_ANIMATION_MS = 2_000
export const LIKE_FLAMES = 8

/** Socket: delays between reconnects and the time-out of a connection attempt, in milliseconds. */
export const SOCKET_RECONNECT_MS = 1_000
export const SOCKET_RECONNECT_MAX_MS = 5_000
export const SOCKET_TIMEOUT_MS = 20_000
/**
 * Without a socket for this long the thread page polls instead, at this interval, in milliseconds.
 */
export const POLL_AFTER_MS = 5_000
