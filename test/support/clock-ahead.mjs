/** Loaded before a program: its clock is ahead by so many days (or behind, where that is negative). */
const aheadMs = Number(process.env.AHEAD_DAYS) * 24 * 3_600_000
const { now } = Date
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now() + aheadMs)
    else super(...given)
  }
  static now() {
    return now() + aheadMs
  }
}
