//! Builds the web app in `www/` and the sample model that it contains.

use crate::args::Args;
use crate::stamp::Stamp;
use crate::{cmd, notice, paths, sample, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// `cargo xtask sample [PATH]`
pub fn sample(args: &[String]) -> Result<()> {
    let words = Args::new(args).words()?;
    match &words[..] {
        [] => write_sample(&sample_path()),
        [path] => write_sample(Path::new(path)),
        _ => bail!("too many arguments: `cargo xtask sample` takes at most one path"),
    }
}

/// Builds `www/dist` from `www/` and `pkg/`. Returns false if it is up to date already.
pub fn build() -> Result<bool> {
    let www = paths::at("www");
    if !www.join("index.html").exists() {
        return Ok(false);
    }
    tools::npm_packages()?;
    let sample = sample_path();
    Stamp::new("sample.stamp")
        .path(&paths::at("xtask/src/sample.rs"))?
        .path(&paths::at("xtask/src/sample"))?
        .path(&paths::at("src"))?
        .path(&paths::at("crates"))?
        .run(&[&sample], || write_sample(&sample))?;
    let dist = www.join("dist");
    Stamp::new("app.stamp")
        .path(&www)?
        .path(&paths::at("pkg"))?
        .path(&paths::at("package-lock.json"))?
        .path(&paths::at("Cargo.lock"))?
        .run(&[&dist.join("index.html")], || {
            println!("app: is bundled");
            let mut vite = tools::npm_script("vite/bin/vite.js");
            cmd::run(vite.args(["build", "--logLevel", "warn"]).arg(&www).env("GGUF_CRATES", crates()?))
        })
}

/// Writes the list of crates, whose licences are added to those of the bundled npm packages. Returns its path.
pub fn crates() -> Result<PathBuf> {
    let path = paths::target().join("xtask/crates.json");
    fs::write(&path, serde_json::to_string(&notice::crates()?)?)?;
    Ok(path)
}

/// The path of the sample model. Vite copies this folder into the app. Git ignores the file.
fn sample_path() -> PathBuf {
    paths::at("www/public/sample.gguf")
}

fn write_sample(path: &Path) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    sample::write(path).with_context(|| path.display().to_string())
}
