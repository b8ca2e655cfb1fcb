//! Counts passed and failed tests from the output of test runners.

use crate::cmd;
use anyhow::{Context, Result, bail};
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};

#[derive(Debug, Default, PartialEq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl Counts {
    pub fn exit_code(&self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// The counts of a line that these counts have written.
    pub fn of_line(line: &str) -> Option<Self> {
        let (passed, failed) = line.strip_suffix(" failed")?.split_once(" passed, ")?;
        Some(Self { passed: passed.parse().ok()?, failed: failed.parse().ok()?, skipped: 0 })
    }

    pub fn add_all(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Runs a test runner, prints its output, and adds its counts.
    pub fn run(&mut self, command: &mut Command) -> Result<()> {
        // The output is parsed below, so it must not contain colour codes.
        command.env("NO_COLOR", "1").env("CARGO_TERM_COLOR", "never").env_remove("FORCE_COLOR");
        // Rust tests that find no corpus say so on the standard error, which the test harness does not capture.
        let (output, writer) = io::pipe()?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", cmd::shown(command)))?;
        // The command keeps its ends of the pipe, and the output would not end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let failed_before = self.failed;
        for line in BufReader::new(output).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            self.add(&line);
        }
        let status = child.wait()?;
        if !status.success() {
            // A runner may crash before it prints a count. Count that as one failure.
            self.failed = self.failed.max(failed_before + 1);
            bail!("{} failed ({status})", cmd::shown(command));
        }
        Ok(())
    }

    /// Adds the counts of a summary line of cargo, `node --test` or Playwright. Ignores other lines.
    fn add(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |word: &str| word.parse::<u64>().ok();
        match words[..] {
            // test result: ok. 5 passed; 0 failed; 0 ignored; …
            ["test", "result:", _, passed, "passed;", failed, "failed;", ..] => {
                self.passed += number(passed).unwrap_or(0);
                self.failed += number(failed).unwrap_or(0);
            }
            ["ℹ", "pass", passed] => self.passed += number(passed).unwrap_or(0),
            ["ℹ", "fail", failed] => self.failed += number(failed).unwrap_or(0),
            ["ℹ", "skipped", skipped] => self.skipped += number(skipped).unwrap_or(0),
            [skipped, "skipped"] => self.skipped += number(skipped).unwrap_or(0),
            // A Rust test that returns early because it finds no corpus.
            ["SKIPPED:", ..] => self.skipped += 1,
            // 12 passed (4.5s)
            [passed, "passed", time] if time.starts_with('(') => self.passed += number(passed).unwrap_or(0),
            [failed, "failed"] => self.failed += number(failed).unwrap_or(0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_the_three_runners_are_counted() {
        let mut counts = Counts::default();
        for line in [
            "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "ℹ tests 4",
            "ℹ pass 3",
            "ℹ fail 1",
            "ℹ skipped 6",
            "  7 passed (2.1s)",
            "  2 failed",
            "  1 skipped",
            "    [chromium] › open.spec.ts:3:1 › opens",
        ] {
            counts.add(line);
        }
        assert_eq!(counts, Counts { passed: 16, failed: 5, skipped: 7 });
        assert_eq!(Counts::of_line(&counts.to_string()), Some(Counts { skipped: 0, ..counts }));
    }
}
