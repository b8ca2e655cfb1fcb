//! The Python of the tests that read files with another reader: a virtual environment of its own, with the packages of
//! `tests/python/requirements.txt`.

use crate::stamp::Stamp;
use crate::{cmd, paths, tools};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const REQUIREMENTS: &str = "tests/python/requirements.txt";
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The interpreter that the environment names, or that of the virtual environment, which is made where it is missing.
/// `None`, and why, where it cannot be made; under `CI=true` that is an error.
pub fn interpreter() -> Result<Option<PathBuf>> {
    if let Some(path) = std::env::var_os("GGUF_PYTHON").map(PathBuf::from) {
        if !path.is_file() {
            bail!("GGUF_PYTHON is {}, which is no file", path.display());
        }
        return Ok(Some(path));
    }
    let required = std::env::var("CI").is_ok_and(|ci| ci == "true");
    match environment(required) {
        Err(error) if !required => {
            eprintln!("NOT COVERED: what the PyPI package gguf reads: {error:#}");
            Ok(None)
        }
        made => made.map(Some),
    }
}

/// Makes the virtual environment unless it is there, with these very requirements.
fn environment(install: bool) -> Result<PathBuf> {
    let is_there = runs(&["--version"]) || install && tools::apt_install(&["python3", "python3-venv"]);
    if !is_there {
        bail!("{PYTHON} is missing: install version 3.10 or newer, with its module venv");
    }
    let dir = paths::target().join("python");
    let interpreter = dir.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    Stamp::new("python.stamp").path(&paths::at(REQUIREMENTS))?.run(&[&interpreter], || fill(&dir, &interpreter))?;
    Ok(interpreter)
}

fn fill(dir: &Path, interpreter: &Path) -> Result<()> {
    // Debian's python3 has the module venv, but not what it needs to give an environment its pip.
    if !runs(&["-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 10))"]) {
        tools::apt_install(&["python3", "python3-venv"]);
    }
    cmd::run(cmd::new(PYTHON).args(["-m", "venv", "--clear"]).arg(dir)).with_context(|| {
        format!("{PYTHON} makes no virtual environments: install its module venv (python3-venv on Debian and Ubuntu)")
    })?;
    cmd::run(cmd::new(&interpreter.to_string_lossy()).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary=:all:",
        "-r",
        REQUIREMENTS,
    ]))
    .with_context(|| format!("the packages of {REQUIREMENTS} are not installed"))
}

fn runs(args: &[&str]) -> bool {
    cmd::output(cmd::new(PYTHON).args(args)).is_some()
}
