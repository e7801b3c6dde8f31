/**
 * Labels with emoji for the seven known categories; any other category shows its name. Free of
 * dependencies, because the browser loads it.
 */
const labels: Readonly<Record<string, string>> = {
  politics: '🏛️ 政治',
  economy: '💹 経済',
  world: '🌏 国際',
  immigration: '🛂 移民',
  'immigration-japan': '🗾 日本の移民問題',
  rant: '🔥 愚痴',
  general: '💬 雑談',
}

export const categoryLabel = (name: string): string => labels[name] ?? name

/** Default choice when a thread is created: immigration-japan, else immigration, else the first. */
export function defaultCategory<T extends { name: string }>(categories: readonly T[]): T | undefined {
  const byName = (name: string) => categories.find((category) => category.name === name)
  return byName('immigration-japan') ?? byName('immigration') ?? categories[0]
}
