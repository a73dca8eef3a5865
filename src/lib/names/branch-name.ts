/** Names of branches. */

/** Whether git takes it for a branch (git-check-ref-format(1)), and no program for an option. */
export function isBranchName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
  if (!name.isWellFormed() || /[\u0000-\u0020\u007f-\u009f~^:?*[\\]|\.\.|@\{/.test(name)) return false
  const segments = name.split('/')
  return !/^-|\.$|^@$/.test(name) && segments.every((each) => each !== '' && !/^\.|\.lock$/.test(each))
}
