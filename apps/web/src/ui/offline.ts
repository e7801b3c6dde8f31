/** For what could not be loaded without a network: failed queries are repeated when it is back. */
export const OFFLINE = 'オフラインのため読み込めません。つながると、自動で読み込みます。'
