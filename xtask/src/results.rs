//! What the output of cargo, `node --test` and Playwright says: how many tests passed, and which ones failed.

#[derive(Debug, Default, PartialEq)]
pub struct Results {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
    /// The lines that name failed tests.
    pub failures: Vec<String>,
    list: List,
}

/// The list of failed tests that the output is in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum List {
    #[default]
    None,
    /// Each line that begins with four spaces is a name.
    Indented,
    /// Each line that begins with a cross is a name.
    Marked,
}

impl Results {
    /// Those of a step that has not run.
    pub fn failed(why: String) -> Self {
        Self { failed: 1, failures: vec![why], ..Self::default() }
    }

    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }

    /// Reads the next line of the output.
    pub fn read(&mut self, line: &str) {
        let text = line.trim();
        let number = |word: &str| word.parse::<u64>().unwrap_or(0);
        let mut is_heading = text == "failures:";
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            // test result: ok. 5 passed; 0 failed; 0 ignored; …
            ["test", "result:", _, passed, "passed;", failed, "failed;", ..] => {
                self.passed += number(passed);
                self.failed += number(failed);
            }
            // 12 passed (4.5s)
            [passed, "passed", time] if time.starts_with('(') => self.passed += number(passed),
            ["ℹ", "pass", passed] => self.passed += number(passed),
            ["ℹ", "fail", failed] => self.failed += number(failed),
            ["ℹ", "skipped", skipped] | [skipped, "skipped"] => self.skipped += number(skipped),
            // A Rust test that returns early because it finds no corpus.
            ["SKIPPED:", ..] => self.skipped += 1,
            [failed, "failed"] if number(failed) > 0 => {
                self.failed += number(failed);
                is_heading = true;
            }
            _ => {}
        }
        match self.list {
            // cargo: the first `failures:` has what the tests printed, the second one their names.
            _ if is_heading => self.list = List::Indented,
            _ if text == "✖ failing tests:" => self.list = List::Marked,
            List::Indented if line.starts_with("    ") => {
                self.failures.push(text.trim_end_matches(['─', ' ']).to_owned());
            }
            List::Indented => self.list = List::None,
            List::Marked => self.failures.extend(text.strip_prefix("✖ ").map(str::to_owned)),
            List::None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Results;

    #[test]
    fn tests_of_the_three_runners_are_counted_and_the_failed_ones_named() {
        let mut results = Results::default();
        let output = "\
running 2 tests
SKIPPED: there is no corpus
failures:

---- values::golden stdout ----
    a line that the test printed

failures:
    values::golden

test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
▶ abort
  ✖ a read ends (2ms)
✖ abort (3ms)
ℹ tests 10
ℹ pass 3
ℹ fail 1
ℹ skipped 6

✖ failing tests:

test at tests/package/http/abort.test.mjs:3:1
✖ a read ends (2ms)
  AssertionError [ERR_ASSERTION]: 1 !== 2
  ✘  1 page/open.spec.ts:3:1 › opens (1.0s)
  1) page/open.spec.ts:3:1 › opens ─────────
    Error: expect(locator).toHaveText
  1 failed
    page/open.spec.ts:3:1 › opens ──────────
  1 flaky
    page/menu.spec.ts:9:1 › closes ─────────
  2 skipped
  7 passed (2.1s)
";
        output.lines().for_each(|line| results.read(line));
        assert_eq!((results.passed, results.failed, results.skipped), (11, 4, 9));
        assert_eq!(results.failures, ["values::golden", "a read ends (2ms)", "page/open.spec.ts:3:1 › opens"]);
    }
}
