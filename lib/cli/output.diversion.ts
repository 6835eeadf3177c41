/** Prints to stdout, whatever has become of it for others. */
export type Print = (text: string) => Promise<void>;

/** What an app prints from now on goes to stderr, so that the report stands alone on stdout and stays readable JSON. */
export function divertOutput(): Print {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (text) =>
    new Promise((resolve) => {
      write(text, () => resolve());
    });
}
