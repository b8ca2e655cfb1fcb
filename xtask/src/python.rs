//! Creates the Python virtual environment of the tests that compare with the PyPI package gguf. Its packages
//! are listed in `tests/python/requirements.txt`.

use crate::stamp::Stamp;
use crate::{cmd, paths, tools};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const REQUIREMENTS: &str = "tests/python/requirements.txt";
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The path of the Python interpreter: `GGUF_PYTHON` if it is set, else the interpreter of the virtual environment. A
/// missing virtual environment is created. If that fails, prints why and returns `None`.
///
/// # Errors
///
/// `GGUF_PYTHON` is not a file, or the environment cannot be created and `CI` is `true`.
pub fn interpreter() -> Result<Option<PathBuf>> {
    if let Some(path) = std::env::var_os("GGUF_PYTHON").map(PathBuf::from) {
        if !path.is_file() {
            bail!("GGUF_PYTHON is {}, but there is no such file: set it to a Python interpreter", path.display());
        }
        return Ok(Some(path));
    }
    let required = std::env::var("CI").is_ok_and(|ci| ci == "true");
    match environment(required) {
        Err(error) if !required => {
            eprintln!("NOT COVERED: the comparison with PyPI packages: {error:#}");
            Ok(None)
        }
        made => made.map(Some),
    }
}

/// Creates the virtual environment if it is missing or the requirements have changed. `install` allows to install Python.
fn environment(install: bool) -> Result<PathBuf> {
    let _alone = tools::alone()?;
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
    // Debian's package python3 has the module venv, but not the module ensurepip, which installs pip.
    if !runs(&["-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 10))"]) {
        tools::apt_install(&["python3", "python3-venv"]);
    }
    cmd::run(cmd::new(PYTHON).args(["-m", "venv", "--clear"]).arg(dir)).with_context(|| {
        format!(
            "{PYTHON} cannot create a virtual environment: install its module venv (python3-venv on Debian and Ubuntu)"
        )
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
    .with_context(|| format!("pip could not install the packages of {REQUIREMENTS}"))
}

fn runs(args: &[&str]) -> bool {
    cmd::output(cmd::new(PYTHON).args(args)).is_some()
}
