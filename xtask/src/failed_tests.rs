//! The names of the tests that failed, from the output of test runners: the end of a long output shall say what to look at.

/// The lines that name failed tests in the output of cargo, `node --test` or Playwright, in their order.
pub fn of_output(output: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut list = List::None;
    for line in output.lines() {
        let text = line.trim();
        list = match text {
            // cargo: the first `failures:` has what the tests printed, the second one their names.
            "failures:" => List::Indented,
            // node --test
            "✖ failing tests:" => List::Marked,
            // Playwright
            _ if is_count_of_failed(text) => List::Indented,
            _ => list,
        };
        match list {
            List::Indented if line.starts_with("    ") => {
                names.push(text.trim_end_matches(['─', ' ']).to_owned());
            }
            List::Indented if !is_heading(text) => list = List::None,
            List::Marked => {
                names.extend(text.strip_prefix("✖ ").filter(|name| *name != "failing tests:").map(str::to_owned))
            }
            List::Indented | List::None => {}
        }
    }
    names
}

#[derive(Clone, Copy)]
enum List {
    None,
    /// Each line that begins with four spaces is a name.
    Indented,
    /// Each line that begins with a cross is a name.
    Marked,
}

fn is_count_of_failed(text: &str) -> bool {
    text.strip_suffix(" failed").is_some_and(|count| count.parse::<u64>().is_ok())
}

fn is_heading(text: &str) -> bool {
    text == "failures:" || is_count_of_failed(text)
}

#[cfg(test)]
mod tests {
    use super::of_output;

    #[test]
    fn failed_tests_of_the_three_runners_are_named() {
        let cargo = "\
running 2 tests
.F
failures:

---- values::golden stdout ----
    a line that the test printed

failures:
    values::golden

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        let node = "\
▶ abort
  ✖ a read ends (2ms)
✖ abort (3ms)
ℹ fail 1

✖ failing tests:

test at tests/package/http/abort.test.mjs:3:1
✖ a read ends (2ms)
  AssertionError [ERR_ASSERTION]: 1 !== 2
";
        let playwright = "\
  ✘  1 page/open.spec.ts:3:1 › opens (1.0s)
  1) page/open.spec.ts:3:1 › opens ─────────
    Error: expect(locator).toHaveText
  1 failed
    page/open.spec.ts:3:1 › opens ──────────
  1 flaky
    page/menu.spec.ts:9:1 › closes ─────────
  7 passed (2.1s)
";
        assert_eq!(of_output(cargo), ["values::golden"]);
        assert_eq!(of_output(node), ["a read ends (2ms)"]);
        assert_eq!(of_output(playwright), ["page/open.spec.ts:3:1 › opens"]);
        assert!(of_output("test result: ok. 5 passed; 0 failed\n  7 passed (2.1s)\n").is_empty());
    }
}
