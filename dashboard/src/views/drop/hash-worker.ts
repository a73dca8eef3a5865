/**
 * Hashes files beside the page, which stays responsive. `crypto.subtle` exists on https and localhost only,
 * and hashes whole files only.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { HashMessage } from './hash-messages'

const report = (message: HashMessage) => postMessage(message)

async function digestOf(file: File): Promise<string> {
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    hash.update(read.value)
    report({ kind: 'read', bytes: read.value.length })
  }
  return bytesToHex(hash.digest())
}

addEventListener('message', async ({ data: files }: MessageEvent<File[]>) => {
  for (const [at, file] of files.entries()) {
    try {
      report({ kind: 'digest', at, sha256: await digestOf(file) })
    } catch {
      report({ kind: 'unreadable', at })
      return
    }
  }
})
