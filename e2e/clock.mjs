/**
 * Loaded before a board (--import): its clock is BOARD_AHEAD_MS ahead, that of its database is not.
 */
const Real = Date
const ahead = Number(process.env['BOARD_AHEAD_MS'])

globalThis.Date = class extends Real {
  constructor(...fields) {
    super(...(fields.length === 0 ? [Real.now() + ahead] : fields))
  }

  static now() {
    return Real.now() + ahead
  }
}
