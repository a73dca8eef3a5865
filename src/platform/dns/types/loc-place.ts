/** The text and the numbers of a LOC record (RFC 1876, sections 2 and 3). */
import type { Problem } from '../record-names.ts'

/** The fields of the data, encoded. */
export type Place = {
  /** Thousandths of a second of arc north, from 2^31 for the equator. */
  latitude: number
  /** Thousandths of a second of arc east, from 2^31 for the prime meridian. */
  longitude: number
  /** Centimetres from 100,000 m below the reference spheroid. */
  altitude: number
  /** The diameter of a sphere, as a digit and a power of ten of centimetres. */
  size: number
  horizontal: number
  vertical: number
}

const origin = 2 ** 31
const lowestCm = 10_000_000

/** Metres where sizes and precisions are left out. */
const usual = { size: '1', horizontal: '10000', vertical: '10' }

const shape =
  'must be latitude, longitude and altitude, and possibly size and precisions: ' +
  '52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m'

/** The place of a value, each part that is left out being the usual one. */
export function readPlace(text: string): Place | Problem {
  const words = text.split(/[ \t]+/).filter((word) => word !== '')
  const latitude = takeAngle(words, ['N', 'S'], 90)
  const longitude = takeAngle(words, ['E', 'W'], 180)
  const [height = '', size = usual.size, horizontal = usual.horizontal, vertical = usual.vertical] = words
  const altitude = centimetresOf(height)
  const sizes = [size, horizontal, vertical].map(centimetresOf)
  if (latitude === undefined || longitude === undefined || words.length > 4) return { problem: shape }
  if (altitude === undefined || sizes.includes(undefined)) return { problem: shape }
  if (altitude < -lowestCm || altitude + lowestCm >= 2 ** 32) {
    return { problem: 'must have an altitude from -100000.00m to 42849672.95m' }
  }
  if (sizes.some((each = 0) => each < 0 || each > 9e9)) {
    return { problem: 'must have sizes and precisions from 0.00m to 90000000.00m' }
  }
  const [encodedSize = 0, encodedHorizontal = 0, encodedVertical = 0] = sizes.map((each = 0) => powerOf(each))
  return {
    latitude: origin + latitude,
    longitude: origin + longitude,
    altitude: altitude + lowestCm,
    size: encodedSize,
    horizontal: encodedHorizontal,
    vertical: encodedVertical,
  }
}

/** The value of a place, with all its parts. */
export function formatPlace({ latitude, longitude, altitude, ...sizes }: Place): string {
  return [
    angleText(latitude - origin, ['N', 'S']),
    angleText(longitude - origin, ['E', 'W']),
    metresText(altitude - lowestCm),
    metresText(centimetresIn(sizes.size)),
    metresText(centimetresIn(sizes.horizontal)),
    metresText(centimetresIn(sizes.vertical)),
  ].join(' ')
}

type Directions = readonly [positive: string, negative: string]

/** Takes an angle and its direction off the words; thousandths of a second, positive to the north or east. */
function takeAngle(words: string[], [positive, negative]: Directions, most: number): number | undefined {
  const end = words.findIndex((word) => /^[nsew]$/i.test(word))
  const [degrees = '', minutes = '0', seconds = '0', ...more] = words.slice(0, Math.max(end, 0))
  const direction = words[end]?.toUpperCase()
  words.splice(0, end + 1)
  const isWritten =
    more.length === 0 &&
    [degrees, minutes].every((each) => /^\d{1,3}$/.test(each)) &&
    /^\d{1,2}(?:\.\d{1,3})?$/.test(seconds)
  if (!isWritten || Number(minutes) > 59 || Number(seconds) >= 60) return undefined
  const whole = (Number(degrees) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1_000)
  if (whole > most * 3_600_000) return undefined
  if (direction === positive) return whole
  return direction === negative ? -whole : undefined
}

function angleText(thousandths: number, [positive, negative]: Directions): string {
  const whole = Math.abs(thousandths)
  const minutes = Math.floor(whole / 60_000)
  const seconds = ((whole % 60_000) / 1_000).toFixed(3)
  return [Math.floor(minutes / 60), minutes % 60, seconds, thousandths < 0 ? negative : positive].join(' ')
}

function centimetresOf(metres: string): number | undefined {
  if (!/^-?\d{1,8}(?:\.\d{1,2})?m?$/i.test(metres)) return undefined
  return Math.round(Number(metres.replace(/m$/i, '')) * 100)
}

function metresText(centimetres: number): string {
  return `${(centimetres / 100).toFixed(2)}m`
}

/** A digit and a power of ten, the digits after the first one cut (section 2). */
function powerOf(centimetres: number): number {
  const exponent = centimetres < 10 ? 0 : String(centimetres).length - 1
  return Math.floor(centimetres / 10 ** exponent) * 16 + exponent
}

/** Whether a byte is a digit and a power of ten (section 2). */
export function isPower(byte: number): boolean {
  return byte >> 4 <= 9 && (byte & 15) <= 9
}

function centimetresIn(power: number): number {
  return Math.floor(power / 16) * 10 ** (power % 16)
}
