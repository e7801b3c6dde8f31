/** Passwords that attackers try first. */

/**
 * The most frequent passwords of eight characters and more in lists of leaked passwords, with
 * additions from Japanese lists.
 */
const COMMON = new Set(
  `12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 87654321 0987654321 01234567 11223344
  112233445566 12341234 12344321 123123123 123321123 123454321 123qweasd 147258369 159753456 741852963 789456123 987654123
  13579246 19841984 20002000 31415926 password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword
  pa55word pa55w0rd password! passwordpassword mypassword yourpassword drowssap qwertyui qwertyuiop qwerty12 qwerty123
  qwerty1234 qwerty12345 qwertyuiop123 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 qazwsxedc
  qweasdzxc qweqweqwe zaq12wsx zxcvbnm123 zxcvbnm,./ asdfghjkl asdfghjk asdf1234 asdfasdf 1234qwer qwer1234 abcd1234
  abc12345 abc123456 a1234567 a12345678 a123456789 1a2b3c4d aa123456 aaa12345 abcdefgh abcdefghi abcdefg1 abcd12345
  iloveyou iloveyou1 iloveyou2 ilovejapan sunshine princess football baseball superman starwars startrek pokemon1
  pokemon123 computer internet whatever welcome1 welcome123 michelle jennifer danielle trustno1 letmein1 letmein123 changeme
  changeme123 default1 administrator admin123 admin1234 admin12345 administrator1 rootroot testtest test1234 testtest1 guest123
  password0 passpass pass1234 login123 secret123 dragon123 monkey123 master123 shadow123 samurai1 ninja123 shinobi1 shinobiita
  sakura12 sakura123 sakurasakura doraemon doraemon1 pikachu1 totoro123 konnichiwa arigatou arigato123 nippon123 japan123 tokyo123
  tokyo2020 aishiteru aishiteru1 hogehoge hogehoge1 hogehogehoge fugafuga takahiro kazuhiro yoshihiro masahiro hiroyuki
  naruto123 onepiece dragonball あいうえおかきく`.split(/\s+/),
)

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A run of one character (aaaaaaaa). */
const MONOTONOUS = /^(.)\1*$/su

export interface PasswordOwner {
  readonly name: string
  readonly email: string | null
}

/**
 * Whether a password is easy to guess: a common one, one repeated character, or the member's own
 * name or address.
 */
export function isCommonPassword(password: string, { name, email }: PasswordOwner): boolean {
  const tried = plain(password)
  const own = [name, email ?? '', (email ?? '').split('@', 1)[0]!].map(plain)
  return COMMON.has(tried) || MONOTONOUS.test(tried) || own.includes(tried)
}
