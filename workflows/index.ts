/** The workflow types a worker registers. */
export { lane } from './lane';
export { run } from './run';
export { sweep } from './sweep';
