/** `40 s`, `12 min`, `25.4 h`: an estimate, for people. */
export function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
