/** Tells words and identifiers, such as `MyWidget`, from characters that a bundler made of a digest. */

/** For each letter those that follow it in words, without rare ones: half of all pairs. */
const followers: Record<string, string> = {
  a: 'bcdfgiklmnprstuvwxy',
  b: 'aeijlorstuy',
  c: 'acehiklorstuy',
  d: 'adegilorsuy',
  e: 'abcdefghijlmnopqrstuvwxy',
  f: 'aefilortuy',
  g: 'aeghilmnorsu',
  h: 'aeilmortuy',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'aeins',
  l: 'abcdefiklopstuvy',
  m: 'abdeilmopsu',
  n: 'acdefghijklmnopstuvy',
  o: 'abcdefgijklmnoprstuvwx',
  p: 'adehilmoprstuy',
  q: 'u',
  r: 'abcdefgiklmnoprstuvwy',
  s: 'acefhiklmnopstuwy',
  t: 'acehilnoprstuwy',
  u: 'abcdefgilmnoprst',
  v: 'aeiou',
  w: 'aehinors',
  x: 'aceipt',
  y: 'eilmnopstw',
  z: 'aeio',
}

/** Short words and endings that stand inside of names. */
const shortWords = new Set(
  'ab an as at be by db do en go id if in io is it js me mp my no of on or os so to ts ui up us we'.split(
    ' ',
  ),
)

/** `HowToFly2` has four. */
const maxPieces = 4

/** Words this long may have one rare pair, as names do. */
const longWord = 6

/**
 * Whether `token`, of letters, digits, `-` and `_`, reads as words: few pieces, set apart by case, digits or
 * hyphens, of letters that follow each other in words; at most one piece is an abbreviation. Of eight random
 * characters of base64url, 1 in 50 does; of base32, 1 in 40.
 */
export function readsAsWords(token: string): boolean {
  const pieces = token.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
  if (pieces.length > maxPieces || /^\d/.test(token)) return false
  const isOneCase = token === token.toLowerCase() || token === token.toUpperCase()
  if (!isOneCase && /\d[a-z]{2}/.test(token)) return false
  const letters = pieces.filter((piece) => !/\d/.test(piece))
  if (isNumbered(pieces, letters)) return true
  const words = letters.filter((piece) => isWord(piece))
  const [doubtful, ...others] = letters.filter((piece) => !words.includes(piece))
  if (others.length > 0) return false
  const longest = Math.max(0, ...words.map(({ length }) => length))
  if (longest < 4 && pieces.length === maxPieces && /\d[A-Z]/.test(token)) return false
  if (longest < 3 || doubtful === undefined) return longest >= 3
  if (!/[a-z]/.test(token) && /\d/.test(token)) return doubtful.length === 1
  // One small word beside it might be chance.
  const isEnough = longest > 3 || words.length > 1 || (doubtful.length > 2 && !/\d\d/.test(token))
  return isEnough && isAbbreviation(doubtful)
}

/**
 * Whether a token that reads as words is regular, such as `settings`, `MyWidget`, `Chapter2`: even where
 * nearly every name has a hash, it isn't one.
 */
export function isPlainlyWords(token: string): boolean {
  if (/^[a-z]?(?:(?:[A-Z]+(?=[A-Z])|[A-Z][a-z]+|[a-z]{2,})\d?[-_]?)+\d{0,2}$/.test(token))
    return readsAsWords(token)
  const [word = ''] = /^[A-Z]+(?=\d{0,2}$)/.exec(token) ?? []
  return word.length > 3 && countRarePairs(word.toLowerCase()) === 0
}

/** As `img_1234` and `Photo123` are. */
function isNumbered(pieces: string[], [name, ...others]: string[]): boolean {
  if (name === undefined || others.length > 0 || pieces.length !== 2) return false
  return /[a-z]/.test(name) || name.length <= 4
}

function isWord(piece: string): boolean {
  const word = piece.toLowerCase()
  if (word.length < 3) return shortWords.has(word)
  return countRarePairs(word) <= (word.length >= longWord && piece !== piece.toUpperCase() ? 1 : 0)
}

function countRarePairs(word: string): number {
  let rare = 0
  for (let index = 0; index + 1 < word.length; index += 1) {
    if (!followers[word.charAt(index)]?.includes(word.charAt(index + 1))) rare += 1
  }
  return rare
}

/** As in `XhrUtils`, `iPhone`, `HTMLPage`. */
function isAbbreviation(piece: string): boolean {
  return piece.length <= 4 && (!/[aeiou]/i.test(piece) || piece === piece.toUpperCase() || piece.length < 3)
}
