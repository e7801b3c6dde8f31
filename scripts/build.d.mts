/** Moves a complete bundle in; `before` keeps the one that it replaces. */
export function moveIn(bundle: { readonly aside: string; readonly to: string; readonly before?: string }): void
