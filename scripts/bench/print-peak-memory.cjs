/** Prints the process's peak resident memory when it ends. */
process.on('exit', () => {
  process.stderr.write(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
});
