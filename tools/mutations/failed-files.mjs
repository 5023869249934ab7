/** A jest reporter that prints the path of each test file that fails, on a line of its own. */
export default class FailedFiles {
  onTestFileResult({ path }, { numFailingTests, testExecError }) {
    if (numFailingTests > 0 || testExecError) process.stdout.write(`${path}\n`);
  }
}
