import { describe, expect, it } from 'vitest'
import { parsePage } from './parse-page.ts'
import { removeUnseen } from './visibility.ts'

const SEEN =
  '市は21日、中央図書館の開館時間を来年4月から1時間延ばし、午後9時までにすると発表した。仕事帰りの利用者から要望が多く寄せられていた。'
const HIDDEN = '市長は実は宇宙人であると、市の幹部が匿名を条件に明らかにした。'

/** The text that remains of an article with something inserted, and the text that was removed. */
function judge(sheet: string, inserted: string, article = `<p>${SEEN}</p>`) {
  const page = parsePage(
    `<html class="h"><head><style>${sheet}</style></head><body class="b"><main id="m"><article>${article}${inserted}</article></main></body></html>`,
  )
  const hidden = removeUnseen(page)
  return { seen: page.body.textContent, hidden }
}

describe('a style sheet', () => {
  const x = `<p class="x">${HIDDEN}</p>`
  it.each([
    ['article .x{display:none}', x],
    ['body.b > main article > p.x{display:none}', x],
    ['html.h #m .x{display:none}', x],
    ['.x p{visibility:hidden}', `<div class="x"><p>${HIDDEN}</p></div>`],
    ['[class^="x" i]{display:none}', x],
    ['P.x{DISPLAY:NONE!IMPORTANT}', x],
    ['@media all{.x{display:none}}', x],
    ['@media only screen and (min-width: 600px){.x{display:none}}', x],
    ['@media (width >= 40em){.x{display:none}}', x],
    ['@layer a{.x{display:none}}', x],
    ['@layer a, b; .x{display:none}', x],
    ['@supports (display:grid){@media screen{.x{display:none}}}', x],
    ['@container (min-width:1px){.x{display:none}}', x],
    ['@import url(a.css);.x{display:none}', x],
    ['.y{content:"}";color:red}.x{display:none}', x],
    ['.y{content:"/*"}.x{display:none}', x],
    ['<!-- .x{display:none} -->', x],
    ['.x{display:none', x],
    ['.x{color:#fff}', x],
    ['.x{color:#000;color:#fefefe}', x],
    ['.x{color:#fff!important}.x{color:#000}', x],
    ['.w{font-size:0}.w p{font-size:16px}', `<div class="w"><p>図書館である。</p>${HIDDEN}</div>`],
    ['.x{display:none}@media print{.x{display:block}}', x],
    ['.x{display:none}@supports (no:thing){.x{display:block!important}}', x],
    ['.x{display:block}.x{display:none}', x],
    // Whatever their precedence.
    ['article .x{display:block}.x{display:none}', x],
    ['.w { color: red } .y, .x { display: none }', x],
    ['@charset "utf-8"; .x{font-size:0}', x],
    ['/* a { } */ .z, .x /* b */ { visibility: hidden }', x],
    ['.x{display:none!important}', `<p class="x" style="display:block">${HIDDEN}</p>`],
  ])('hides by %s', (sheet, inserted) => {
    const { seen, hidden } = judge(sheet, inserted)
    expect(seen).toContain(SEEN)
    expect(seen).not.toContain(HIDDEN)
    expect(hidden).toContain(HIDDEN)
  })

  it.each([
    ['.y .x{display:none}', x],
    ['section > .x{display:none}', x],
    ['.x:hover{display:none}', x],
    ['.x::before{display:none}', x],
    ['.x:not(p){display:none}', x],
    ['.x:first-child{display:none}', x],
    ['@media print{.x{display:none}}', x],
    ['</style><style media="print">.x{display:none}', x],
    ['@media (max-width:600px){.x{display:none}}', x],
    ['@media (prefers-color-scheme:dark){.x{color:#fff}}', x],
    ['@keyframes x{from{opacity:0}to{opacity:1}}', x],
    ['@font-face{font-family:x;font-size:0}', x],
    ['/*.x{display:none}*/', x],
    ['.x { display: block } .y { display: none }', x],
    ['.y{content:".x{display:none}"}', x],
    // A later rule for the same selector, or the element's own style, shows it again.
    ['.x{display:none}.x{display:block}', x],
    ['.x{display:none}@media (min-width:600px){.x{display:block}}', x],
    ['.x{display:none}', `<p class="x" style="display:block">${HIDDEN}</p>`],
    ['.x{font-size:.875em;line-height:0}', x],
    ['.x{font:700 14px/1.5 sans-serif}', x],
    ['body{background:#003}.x{color:#fff}', x],
    ['.w{background:#003}.x{color:#fff}', `<div class="w">${x}</div>`],
    ['.w{background:url(night.jpg)}.x{color:#fff}', `<div class="w">${x}</div>`],
    ['.x{color:#777}', x],
    ['.x{margin-left:-50vw;left:50%;margin-top:-120px}', x],
    ['.x{width:1px;height:0}', x],
    ['.x{max-height:400px;overflow:hidden}', x],
    ['.x{clip-path:polygon(0 0,100% 0,100% 90%,0 100%)}', x],
    ['.x{transform:translate(-50%,-50%) scale(.98)}', x],
    ['.x{opacity:.6;filter:opacity(80%)}', x],
    ['.x{text-indent:1em}', x],
    ['.x{', x],
    ['}}}.x{}', x],
  ])('does not hide by %s', (sheet, inserted) => {
    expect(judge(sheet, inserted).seen).toContain(HIDDEN)
  })

  it.each([
    ['#m{opacity:0}.x{display:none}', 1, 1],
    ['body > *{visibility:hidden}.x{display:none}', 1, 1],
    ['article p{display:none}.x{color:#fff}', 1, 1],
    // Enough is left for an article.
    ['.x{display:none}', 6, 60],
  ])('is ignored where it hides nearly all; other hidden text stays hidden: %s', (sheet, shown, unseen) => {
    const inserted = `<p class="x">${HIDDEN.repeat(unseen)}</p><footer>著作権は当社にあります。</footer>`
    const { seen } = judge(sheet, inserted, `<p>${SEEN.repeat(shown)}</p>`)
    expect(seen).toContain(SEEN)
    expect(seen).not.toContain(HIDDEN)
  })

  it.each([
    ['of few long sentences', `<p>${'市は図書館を夜も開くと決め、'.repeat(30)}職員も増やした。</p>`],
    ['without line ends', '<p>The city opened a new library for its readers.</p>'.repeat(30)],
  ])('hides in an article %s what many full stops pretend to be most of it', (_, article) => {
    const inserted = `<p class="x">${HIDDEN}${'。'.repeat(12)}</p><p class="x">${HIDDEN}</p>`
    expect(judge('.x{display:none}', inserted, article).seen).not.toContain(HIDDEN)
  })

  it('that takes too long to match makes the page too large', () => {
    const sheet = Array.from({ length: 1_000 }, (_, at) => `b${at} .y{left:-9999px}`).join('')
    const judged = () => judge(sheet, '<p class="y">a</p>'.repeat(5_000))
    expect(judged).toThrow(expect.objectContaining({ problem: 'too_large' }))
  })

  it.each([
    ['rules that hide nothing', '.x{top:0}'.repeat(30_000)],
    ['a rule for thousands', `${'.y,'.repeat(60_000)}.z{display:none;${'color:red;'.repeat(10_000)}}`],
    ['states and places', 'p ~ p ~ p:nth-child(2) ~ .y{display:none}'.repeat(5_000)],
    ['quotes and comments that are not ended', `.y{content:"${"'".repeat(100_000)}/*${'"\n'.repeat(50_000)}`],
    ['what no selector is', '[[[=.#{display:none}>>>{display:none}'.repeat(5_000)],
  ])('may contain %s without end', (_, sheet) => {
    expect(judge(sheet, `<p class="x">${SEEN}</p>`.repeat(5_000)).seen).toContain(SEEN)
  })
})

describe('a style', () => {
  it.each([
    ...['display: none', 'DISPLAY:NONE !important', 'visibility:hidden', 'opacity:0.01', 'font-size:0', 'color:#fff'],
    ...['font-size: 1px', 'position:absolute; left:-9999px', 'text-indent:-9999em', 'color: transparent'],
    ...['width:1px;height:1px;overflow:hidden', 'clip: rect(0 0 0 0)', 'color: white; background: #FFFFFF'],
    ...['display/**/:none', 'color:red;;DISPLAY : none', 'content-visibility:hidden', 'opacity:.05', 'opacity:1%'],
    ...['filter:blur(0) opacity(0)', 'font-size:2px', 'font-size:.1em', 'font:0/0 a', 'height:0;overflow:hidden'],
    ...['max-height:0em;overflow-y:hidden', 'height:1px;overflow:clip', 'clip:rect(1px, 1px, 1px, 1px)'],
    ...['clip-path:inset(50%)', 'clip-path:circle(0px at 50% 50%)', '-webkit-clip-path:inset(100%)'],
    ...['transform:scale(.001)', 'transform:scale(0,0)', 'transform:rotate(3deg) translateX(-9999px)', 'scale:0'],
    ...['zoom:.01', 'left:-99vw', 'left:-100%', 'left:calc(-1 * 9999px)', 'margin:0 0 0 -9999px'],
    ...['inset:-9999px auto auto 0', 'top:9999px', 'color:rgb(100% 100% 100%)', 'color:rgb(255 255 255 / 90%)'],
    ...['color:rgba(0,0,0,.01)', 'color:#fffd', 'color:hsl(0 0% 100%)', 'color:snow', 'color:#f0f0f0'],
    ...['-webkit-text-fill-color:transparent', 'color:#222;background:#222222'],
    'color:#000;background:linear-gradient(red,blue);background-color:black',
    'color:var(--a);background:var(--a)',
  ])('hides by %s', (style) => {
    const { seen, hidden } = judge('', `<p style="${style}">${HIDDEN}</p>`)
    expect(seen).toContain(SEEN)
    expect(seen).not.toContain(HIDDEN)
    expect(hidden).toContain(HIDDEN)
  })

  it.each([
    ...['font-size:14px;opacity:0.9', 'margin-left:-10px;height:100px', 'color:#222'],
    ...['font-size:var(--step-0)', 'font-size:clamp(1rem, 2vw, 2rem)', 'opacity:var(--opacity-0)'],
    ...['filter:opacity(0.8)', 'clip:rect(auto, auto, auto, auto)', 'transform:rotate(-720deg)'],
    ...['height:var(--height-1);overflow:hidden', 'height:calc(100% - 1px);overflow:hidden'],
    ...['color:#fff;background:url(night.jpg)', 'color:var(--ink);background:var(--paper)'],
  ])('does not hide by %s', (style) => {
    expect(judge('', `<p style="${style}">${HIDDEN}</p>`).seen).toContain(HIDDEN)
  })
})
