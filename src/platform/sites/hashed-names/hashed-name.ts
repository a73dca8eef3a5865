/**
 * Recognizes files whose name contains a hash of their content, by name and directory. In doubt no: a browser
 * keeps what is taken for one for a year.
 */
import { type FoundHash, findHashes } from './find-hashes.ts'
import type { HashPlaces } from './hash-places.ts'

/** Files that only bundlers name with eight mixed characters. */
const code = /\.(?:[cm]?js|css|map|wasm)$/i

/** Files that bundlers copy, and that people and programs name by ids, too. */
const media =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|og[gv]|wav|m4[av]|flac|aac|glb|gltf)$/i

const page = /\.html?$/i

/** Directories in which a framework names every file: Next.js, SvelteKit, Astro, Nuxt, SolidStart, Expo. */
const owned = /(?:^|\/)(?:_next\/static|_app\/immutable|_astro|_nuxt|_build\/assets|_expo\/static)\//

/** Whether `path` is in such a directory. */
export function isNamedByFramework(path: string): boolean {
  return owned.test(path)
}

/** Directories into which bundlers copy pictures and fonts, beside those of people. */
const shared = /(?:^|\/)assets\//

/** Only Create React App, Rsbuild and their kin copy to these. */
const copies = /(?:^|\/)static\/(?:media|svg|image|font)\//

/**
 * Pictures that Hugo made, as `logo_hu1a2b3c4d5e6f7081_300x200.webp`, and Astro, as
 * `logo.DhNaD2VM_Z1abcd.webp`.
 */
const madeByHugo = /_hu_?[0-9a-f]{16,64}[_.]/
const madeByAstro = /(\.[\w-]{8})_[A-Za-z0-9]{4,7}(?=\.\w+$)/

/** Fonts that Next.js cut to their subset, as `e4af272ccee01ff0-s.p.woff2`. */
const subset = /^([0-9a-f]{16})-s(?=[.])/

/** Whether the name of `path` contains a hash, in a deployment whose `places` are these. */
export function isHashedName(path: string, places: HashPlaces): boolean {
  const at = path.lastIndexOf('/') + 1
  const name = path.slice(at)
  if (page.test(name)) return false
  if (media.test(name) && madeByHugo.test(name)) return true
  const directory = path.slice(0, Math.max(0, at - 1))
  const isOwned = isNamedByFramework(path)
  const hashes = findHashes(isOwned ? name.replace(madeByAstro, '$1').replace(subset, '$1') : name)
  if (hashes.length === 0) return false
  if (isOwned) return true
  const styles = stylesIn(directory, places)
  if (hashes.some(({ style }) => styles.includes(style))) return true
  if (code.test(name)) return hashes.some((hash) => isSureBehindName(hash) || isPartOfBase64(hash, styles))
  return media.test(name) && hashes.some((hash) => isCopy(hash, path, styles))
}

/** Files in these are copied from where the scripts are: Angular's `media`, for one. */
const below = /^(?:(.*)\/)?media$/

function stylesIn(directory: string, places: HashPlaces): readonly string[] {
  const [isBelow, parent = ''] = below.exec(directory) ?? []
  return [...stylesAt(directory, places), ...(isBelow === undefined ? [] : stylesAt(parent, places))]
}

/** A directory may have the name of a property of every object. */
function stylesAt(directory: string, places: HashPlaces): readonly string[] {
  return (Object.hasOwn(places, directory) && places[directory]) || []
}

/** Some hashes of base64url have no capital, or no small letter. */
function isPartOfBase64({ style }: FoundHash, styles: readonly string[]): boolean {
  const [, separator] = /^([-._~]?)(?:base36|capitals|base32)$/.exec(style) ?? []
  return separator !== undefined && styles.includes(`${separator}base64`)
}

/** A name that is only a hash is as often an identifier. */
function isSureBehindName({ style, likelihood }: FoundHash): boolean {
  return likelihood === 'sure' && /^[-._~]/.test(style)
}

/** webpack names copies by nothing but the hash, as long as those of scripts beside it. */
function isCopy(hash: FoundHash, path: string, styles: readonly string[]): boolean {
  const { style, likelihood } = hash
  if (likelihood !== 'sure') return false
  if (/^hex\d\d$/.test(style)) return styles.some((each) => each.slice(1) === style) || copies.test(path)
  if (copies.test(path)) return true
  if (!shared.test(path)) return false
  return /^[-._~](?:base64|hex[2-6]\d|hex16)$/.test(style) || isPartOfBase64(hash, styles)
}
