/** What browsers of 2ch read beside threads: menus, settings and rules of categories. */
import { categoryLabel } from '@shinobi/contract/category-labels'
import { NICKNAME, POST, TITLE } from '@shinobi/contract/limits'
import { NAMELESS } from '@shinobi/contract/nameless'
import { toField } from '@shinobi/dat/line'

/** A category as clients know it: its name is the folder in addresses. */
export interface BoardOfCategory {
  readonly name: string
}

/** Names that can be a folder. Clients know the board of no other category. */
export const BOARD_NAME = /^[A-Za-z0-9_-]{1,40}$/

/** The label without its emoji, which CP932 lacks. */
const boardTitle = ({ name }: BoardOfCategory): string => categoryLabel(name).replace(/^[^\p{L}\p{N}]+/u, '')

const MENU = '忍板'
/** The largest mail field that means something: `sage`, and a code. */
const MAIL_BYTES = 64
/** Of a character in CP932. */
const BYTES = 2

const addressOf = (publicUrl: string, { name }: BoardOfCategory): string => `${publicUrl}/${name}/`

/** bbsmenu.html, as plain as clients expect it. */
export const menuHtml = (publicUrl: string, boards: readonly BoardOfCategory[]): string =>
  `<html><head><title>BBS MENU for ${MENU}</title></head><body><font size="2">
<br><br><b>${MENU}</b><br>
${boards.map((board) => `<a href="${toField(addressOf(publicUrl, board))}">${toField(boardTitle(board))}</a><br>\n`).join('')}</font></body></html>
`

/** bbsmenu.json, as 5ch has it. */
export const menuJson = (publicUrl: string, boards: readonly BoardOfCategory[]) => ({
  description: MENU,
  menu_list: [
    {
      category_name: MENU,
      category_number: '1',
      category_total: boards.length,
      category_content: boards.map((board, index) => ({
        url: addressOf(publicUrl, board),
        board_name: boardTitle(board),
        directory_name: board.name,
        category: 1,
        category_name: MENU,
        category_order: index + 1,
      })),
    },
  ],
})

/** SETTING.TXT. @param postLimit posts of a thread */
export const settingTxt = (board: BoardOfCategory, postLimit: number): string =>
  [
    `${board.name}@${MENU}`,
    `BBS_TITLE=${boardTitle(board)}＠${MENU}`,
    `BBS_TITLE_ORIG=${boardTitle(board)}＠${MENU}`,
    `BBS_NONAME_NAME=${NAMELESS}`,
    `BBS_SUBJECT_COUNT=${TITLE.max * BYTES}`,
    `BBS_NAME_COUNT=${NICKNAME.max * BYTES}`,
    `BBS_MAIL_COUNT=${MAIL_BYTES}`,
    `BBS_MESSAGE_COUNT=${POST.max * BYTES}`,
    `BBS_LINE_NUMBER=${POST.max / 2}`,
    `BBS_THREAD_STOP=${postLimit}`,
    'BBS_UNICODE=pass',
    'BBS_FORCE_ID=checked',
    '',
  ].join('\n')

/** head.txt: the rules, which clients show above a category and before a post. */
export const headTxt = (publicUrl: string): string =>
  `<b>書き込む前に</b><br>
書き込みは誰にでも読まれます。個人情報、犯罪の予告、著作権を侵すものは書き込めません。<br>
<a href="${toField(publicUrl)}/terms">利用規約</a>　<a href="${toField(publicUrl)}/about">この掲示板について</a><br>
`

/** The front page of a category, for people who open its address in a web browser. */
export const frontHtml = (publicUrl: string, board: BoardOfCategory): string =>
  `<!doctype html>
<html lang="ja"><head><title>${toField(boardTitle(board))}＠${MENU}</title>
<link rel="canonical" href="${toField(publicUrl)}/categories/${board.name}"></head>
<body><p><a href="${toField(publicUrl)}/categories/${board.name}">${toField(boardTitle(board))}のスレッド一覧</a></p></body></html>
`
