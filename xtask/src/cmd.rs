//! Runs other programs in the root of the repository.

use crate::paths;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// A command that starts in the root of the repository.
pub fn new(program: &str) -> Command {
    // On Windows npm is a script, and `Command` finds only `.exe` files without an extension.
    let program = if cfg!(windows) && program == "npm" { "npm.cmd" } else { program };
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    command
}

/// The cargo that runs this tool.
pub fn cargo() -> Command {
    new(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// Runs a command. The error shows the command line.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// The trimmed standard output of a command. `None` if the command cannot start or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(std::process::Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The most arguments of a command that are shown. Test runners get a hundred files.
const MOST_SHOWN: usize = 20;

/// The command line, with paths relative to the root of the repository. Of many arguments, the first ones.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut shown = program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    for word in command.get_args().map(Path::new).take(MOST_SHOWN) {
        shown.push(' ');
        shown.push_str(&word.strip_prefix(paths::root()).unwrap_or(word).to_string_lossy());
    }
    match command.get_args().count().saturating_sub(MOST_SHOWN) {
        0 => {}
        more => shown.push_str(&format!(" … and {more} more")),
    }
    shown
}
