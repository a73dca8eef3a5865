/** The certificate of a private authority, in a file that a setting names. */
import { readFile } from 'node:fs/promises'
import { SettingsError } from '../settings/error.ts'

/** The PEM text in `file`. @throws SettingsError naming the `setting` whose file has no certificate. */
export async function readAuthority(setting: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new SettingsError(
    `${setting} should be a PEM file with the certificate of an authority: ${file} is not.`,
  )
}
