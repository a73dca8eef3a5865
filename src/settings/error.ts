/** What is wrong with how a node was set up. */

/** A setting that the program can't start with; the message names it. */
export class SettingsError extends Error {}
