// Time that does not depend on how fast the machine is.

/** More turns are not counted, so that the counter does not run for ever. */
const MOST = 1000;

/** Counts the turns of the event loop from this call on. @returns {() => number} the number of turns so far */
export function turns() {
  let count = 0;
  const next = () => {
    count += 1;
    if (count < MOST) setImmediate(next).unref();
  };
  setImmediate(next).unref();
  return () => count;
}
