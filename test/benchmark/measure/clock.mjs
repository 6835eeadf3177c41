/** Milliseconds on a clock that all processes of this machine share. */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
