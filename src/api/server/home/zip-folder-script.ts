/** Zips a folder in the browser, without compression (PKWARE, APPNOTE.TXT). */

/**
 * Defines `zipFolder(files)`, which resolves to a zip of the chosen files of a folder. It rejects with a
 * sentence for what can't be the folder of a site.
 */
export const zipFolderScript = `
const crcTable = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crcOf(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Little-endian numbers, each with its size in bytes. */
function pack(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)))
  let at = 0
  for (const [size, value] of fields) {
    if (size === 4) view.setUint32(at, value, true)
    else view.setUint16(at, value, true)
    at += size
  }
  return view.buffer
}

const left = /(^|\\/)(node_modules|\\.git)\\//

function siteFiles(files) {
  const found = files
    .map((content) => ({ path: content.webkitRelativePath.replace(/^[^/]*\\//, ''), content }))
    .filter(({ path }) => !left.test(path))
  const has = (name) => found.some(({ path }) => path === name)
  if (has('package.json'))
    throw new Error('These are sources: choose the folder that their build makes, such as dist, ' +
      'or wait for the dashboard, which builds them.')
  if (!has('index.html'))
    throw new Error('The folder has no index.html at its top: choose the one that has it, such as dist.')
  if (found.length > 65535) throw new Error('The folder has more files than a zip: use the command.')
  return found
}

async function zipFolder(files) {
  const [local, central] = [[], []]
  let offset = 0
  const found = siteFiles(files)
  for (const { path, content } of found) {
    const name = new TextEncoder().encode(path)
    const crc = crcOf(new Uint8Array(await content.arrayBuffer()))
    // Version 2.0, names in UTF-8, stored as they are, on the first day of 1980.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, crc], [4, content.size],
      [4, content.size], [2, name.length], [2, 0]]
    const head = pack([[4, 0x04034b50], ...common])
    local.push(head, name, content)
    const entry = [[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]
    central.push(pack(entry), name)
    offset += head.byteLength + name.length + content.size
  }
  const size = central.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const count = found.length
  const end = pack([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]])
  return new Blob([...local, ...central, end], { type: 'application/zip' })
}
`
