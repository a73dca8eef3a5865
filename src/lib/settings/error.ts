/** The error for invalid settings. */

/** Invalid settings; the message names them. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}
