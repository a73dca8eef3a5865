/** LOC: where on Earth something is (RFC 1876). */
import { formatPlace, isPower, type Place, readPlace } from './loc-place.ts'
import type { TypeRule } from './rule.ts'

export const loc: TypeRule = {
  numbers: [],
  readValue(text) {
    const place = readPlace(text)
    return 'problem' in place ? place : formatPlace(place)
  },
  dataBytes: () => 16,
  text: {
    takes: ['a latitude', 'a longitude', 'an altitude'],
    repeats: true,
    read: (texts) => ({ value: texts.join(' ') }),
    write: ({ value }) => value,
  },
  wire: {
    read(reader) {
      const version = reader.byte()
      if (version !== 0) return `has version ${version}, of which only 0 is known`
      const [size, horizontal, vertical] = [reader.byte(), reader.byte(), reader.byte()]
      const [latitude, longitude, altitude] = [reader.long(), reader.long(), reader.long()]
      const sizes = [size, horizontal, vertical]
      if (!sizes.every(isPower)) return 'has a size or precision that is no digit and power of ten'
      const value = formatPlace({ size, horizontal, vertical, latitude, longitude, altitude })
      const isPlace = !('problem' in readPlace(value))
      return isPlace ? { value } : 'has a latitude of more than 90 degrees or a longitude of more than 180'
    },
    leastBytes: 16,
    write(writer, { value }) {
      const { size, horizontal, vertical, latitude, longitude, altitude } = stored(value)
      // Section 2: the version is 0.
      for (const byte of [0, size, horizontal, vertical]) writer.byte(byte)
      for (const number of [latitude, longitude, altitude]) {
        writer.short(Math.floor(number / 2 ** 16))
        writer.short(number % 2 ** 16)
      }
    },
  },
}

function stored(value: string): Place {
  const place = readPlace(value)
  if ('problem' in place) throw new RangeError(`The LOC record ${place.problem}.`)
  return place
}
