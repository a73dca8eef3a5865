/** LOC: where on Earth something is (RFC 1876). */
import { formatPlace, type Place, readPlace } from './loc-place.ts'
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
