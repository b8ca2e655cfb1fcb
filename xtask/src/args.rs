//! Parses the arguments of a command: flags, options with a value, and words.

use anyhow::{Result, bail};

/// The arguments that are not parsed yet. Each call removes the arguments that it parses.
pub struct Args(Vec<String>);

impl Args {
    pub fn new(args: &[String]) -> Self {
        Self(args.to_vec())
    }

    /// Whether the flag `name` is given.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|arg| arg != name);
        self.0.len() != before
    }

    /// The value of an option, given as `name value` or `name=value`.
    pub fn option(&mut self, name: &str) -> Result<Option<String>> {
        let prefix = format!("{name}=");
        let Some(at) = self.0.iter().position(|arg| arg == name || arg.starts_with(&prefix)) else {
            return Ok(None);
        };
        if let Some(value) = self.0[at].strip_prefix(&prefix) {
            let value = value.to_owned();
            self.0.remove(at);
            return Ok(Some(value));
        }
        if at + 1 == self.0.len() {
            bail!("the option {name} needs a value: {name} VALUE");
        }
        self.0.remove(at);
        Ok(Some(self.0.remove(at)))
    }

    /// The remaining arguments. An option among them is an error.
    pub fn words(self) -> Result<Vec<String>> {
        match self.0.iter().find(|arg| arg.starts_with('-')) {
            Some(unknown) => bail!("unknown option {unknown}"),
            None => Ok(self.0),
        }
    }

    /// Returns an error if an argument remains.
    pub fn end(self) -> Result<()> {
        match self.words()?.first() {
            Some(word) => bail!("unexpected argument {word}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Args {
        Args(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn an_option_takes_its_value_from_the_next_word_or_after_the_equals_sign() {
        let mut a = args("--port 80 --no-open x");
        assert_eq!(a.option("--port").unwrap().as_deref(), Some("80"));
        assert!(a.flag("--no-open"));
        assert_eq!(a.words().unwrap(), ["x"]);
        assert_eq!(args("--port=8").option("--port").unwrap().as_deref(), Some("8"));
    }

    #[test]
    fn unknown_options_and_unexpected_words_are_refused() {
        assert!(args("--port").option("--port").is_err());
        assert!(args("--what").end().is_err());
        assert!(args("word").end().is_err());
    }
}
