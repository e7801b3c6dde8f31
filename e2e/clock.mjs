/**
 * Loaded before a board (--import): its clock is BOARD_AHEAD_MS ahead and runs BOARD_PACE times as
 * fast, that of its database does not.
 */
const Real = Date
const began = Real.now()
const ahead = Number(process.env['BOARD_AHEAD_MS'] ?? 0)
const pace = Number(process.env['BOARD_PACE'] ?? 1)
const now = () => began + ahead + Math.floor((Real.now() - began) * pace)

globalThis.Date = class extends Real {
  constructor(...fields) {
    super(...(fields.length === 0 ? [now()] : fields))
  }

  static now() {
    return now()
  }
}
