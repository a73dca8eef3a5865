/** The kinds of lines in a build's output. */

/**
 * `cause` says what is wrong, `heading` that the lines below do, `detail` belongs to an error, and `summary`
 * looks back at errors. `hint` may say what is wrong. `frame` is of a stack's trace, and `chatter` of no use.
 */
export type LineKind =
  | 'cause'
  | 'heading'
  | 'detail'
  | 'summary'
  | 'hint'
  | 'warning'
  | 'frame'
  | 'chatter'
  | 'plain'
