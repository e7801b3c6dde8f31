import { Suspense, useId, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { keepMarkup, keptMarkup, KeptItem } from './kept-item.tsx'

let rendered: string[] = []
function Text({ children }: { children: string }) {
  rendered.push(children)
  return <p title={children}>{children} &amp; more</p>
}

const item = (by: string | null, content: ReactNode) => (
  <KeptItem key={by} by={by}>
    {content}
  </KeptItem>
)
const render = (items: readonly ReactNode[]): string => {
  rendered = []
  return keepMarkup(() => renderToString(<ol>{items}</ol>))
}

test('an item is rendered twice, always with the markup that React hydrates', () => {
  const list = ['<one>', 'two'].map((text) => item(`once ${text}`, <Text>{text}</Text>))
  const expected = renderToString(
    <ol>
      {['<one>', 'two'].map((text) => (
        <li key={text}>
          <Text>{text}</Text>
        </li>
      ))}
    </ol>,
  )
  for (const texts of [['<one>', 'two'], ['<one>', 'two'], []]) {
    expect(render(list)).toBe(expected)
    expect(rendered).toEqual(texts)
  }
})

test('a changed item is rendered anew, and only that one', () => {
  const list = (second: string) => [item('change a', <Text>a</Text>), item(second, <Text>{second}</Text>)]
  render(list('before'))
  render(list('before'))
  expect(render(list('after'))).toContain('after<!-- --> &amp; more')
  expect(rendered).toEqual(['after'])
})

test('an item without a key is never kept', () => {
  const before = keptMarkup().items
  for (let time = 0; time < 2; time += 1) {
    expect(render([item(null, <Text>free</Text>)])).toBe(
      '<ol><li><p title="free">free<!-- --> &amp; more</p></li></ol>',
    )
    expect(rendered).toEqual(['free'])
  }
  expect(keptMarkup().items).toBe(before)
})

test('content with deferred parts or generated ids is rendered every time, without traces of keeping', () => {
  function Labelled() {
    return <b id={useId()}>x</b>
  }
  const before = keptMarkup().items
  const list = [item('boundary', <Suspense>{<b>y</b>}</Suspense>), item('generated', <Labelled />)]
  render(list)
  const html = render(list)
  expect(html).not.toContain('data-keep')
  expect(keptMarkup().items).toBe(before)
})

test('memory is bounded: what was used last stays', () => {
  const long = 'x'.repeat(100_000)
  const one = (name: string) => item(`${name} ${long}`, <Text>{name}</Text>)
  for (let index = 0; index < 100; index += 1) {
    for (let time = 0; time < 2; time += 1) render([one('stays'), one(`other ${index}`)])
  }
  expect(keptMarkup().characters).toBeLessThanOrEqual(5_000_000)
  render([one('stays')])
  expect(rendered).toEqual([])
  render([one('other 0')])
  expect(rendered).toEqual(['other 0'])
})
