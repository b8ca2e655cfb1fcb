//! The steps of `cargo xtask test`.

use crate::stamp::{self, Stamp};
use crate::{build, cmd, deny, docs, kernels, notice, paths, python, tools, wasm};
use anyhow::Result;
use std::ffi::OsString;
use std::path::PathBuf;

pub struct Step {
    pub name: &'static str,
    pub what: &'static str,
    /// The steps of a lane run one after the other, and the lanes side by side. Those of cargo have one lane, because cargo locks the folder
    /// `target/debug`. Each lane leaves processors idle at times: three of them fill two processors.
    pub lane: usize,
    /// Whether the step uses what the step `build` makes.
    pub needs_build: bool,
    pub run: fn() -> Result<()>,
}

pub const LANES: usize = 3;

/// The name of the step that other steps need.
pub const BUILD: &str = "build";

/// The variable that asks for the long forms of tests: `cargo xtask test --long`.
pub const LONG: &str = "GGUF_LONG";

/// Where the random inputs of property tests begin. Each run tests the same inputs, so that a change that breaks nothing does not fail.
/// `--long` takes other inputs each time, and finds what these miss.
const RANDOM_SEED: [&str; 2] = ["PROPTEST_RNG_SEED", "2"];

const fn step(lane: usize, needs_build: bool, name: &'static str, run: fn() -> Result<()>, what: &'static str) -> Step {
    Step { name, what, lane, needs_build, run }
}

/// In the order in which the steps of each lane run.
pub static STEPS: [Step; 15] = [
    step(0, false, "fmt", fmt, "rustfmt"),
    step(0, false, BUILD, build, "builds the package and the app"),
    step(0, true, "browser", browser, "tests of the app in Chromium"),
    step(0, true, "engines", engines, "flows of the app and golden vectors in Chromium, Firefox and WebKitGTK"),
    step(1, false, "deny", deny::check, "licences and sources of all crates"),
    step(1, true, "package", package, "tests of the package in Node.js, packed and installed; chat templates"),
    // The rules of eslint that ask for types read the declarations of the package.
    step(1, true, "lint", lint, "eslint and prettier"),
    step(1, true, "types", types, "type check of TypeScript and JavaScript"),
    step(1, true, "notice", notice::check, "the packages in NOTICE are those that the modules and the app contain"),
    step(2, false, "clippy", clippy, "clippy, for the native and the WebAssembly target"),
    step(2, false, "features", features, "compiles the crate with each feature of the package"),
    step(2, false, "native", native, "Rust tests and documentation examples"),
    step(2, false, "doc", doc, "the documentation of the crate, without warnings"),
    step(2, false, "bare", bare, "compiles the crate without std, for a target without an operating system"),
    step(2, true, "docs", documentation, "builds the documentation site, and tests its pages and its search"),
];

/// Runs cargo with arguments that spaces separate.
fn cargo(args: &str) -> Result<()> {
    cmd::run(cmd::cargo().args(args.split(' ')))
}

/// The first error of checks that have all run, so that a check that fails does not hide the others.
fn all<const N: usize>(results: [Result<()>; N]) -> Result<()> {
    results.into_iter().collect()
}

fn fmt() -> Result<()> {
    tools::component("rustfmt", "fmt")?;
    cargo("fmt --all --check")
}

fn clippy() -> Result<()> {
    tools::component("clippy", "clippy")?;
    tools::target(wasm::TARGET)?;
    cargo("clippy --quiet --workspace --all-targets --all-features -- -D warnings")?;
    cargo("clippy --quiet --lib --target=wasm32-unknown-unknown -- -D warnings")
}

fn doc() -> Result<()> {
    let args = "doc --quiet --workspace --no-deps --all-features".split(' ');
    cmd::run(cmd::cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

fn native() -> Result<()> {
    let python = python::interpreter()?.map(|path| ("GGUF_PYTHON".into(), path.into_os_string()));
    let seed = std::env::var_os(LONG).is_none().then(|| RANDOM_SEED.map(OsString::from).into());
    let test = |args: &str| {
        let variables = python.clone().into_iter().chain(seed.clone());
        cmd::run(cmd::cargo().args(["test", "--quiet", "--no-fail-fast"]).args(args.split(' ')).envs(variables))
    };
    all([
        // The tests beside the code run for 4 s without optimisation. Compiling the crates once more with it takes 40 s.
        test("--workspace --lib --all-features --profile=dev"),
        test("--package=tests --package=xtask"),
        test("--package=gguf-template --test=engine"),
        // With the packages above, the dependencies have the same features, so the optimised crates are not compiled a second time.
        test("--doc --package=gguf-* --package=tests --package=xtask"),
    ])
}

fn bare() -> Result<()> {
    tools::target("wasm32v1-none")?;
    // The last crate depends on all others but that of the JavaScript API, and that of templates.
    cargo("check --quiet --package=gguf-legacy --package=gguf-template --no-default-features --target wasm32v1-none")
}

fn features() -> Result<()> {
    const FEATURES: [&str; 9] = ["values", "know", "files", "edit", "convert", "models", "reader", "template", "forks"];
    tools::target(wasm::TARGET)?;
    let is_long = std::env::var_os(LONG).is_some();
    // Those after the first three are modules of the package, which the step `build` compiles. Each two of them take minutes.
    for (at, one) in FEATURES.iter().take(if is_long { FEATURES.len() } else { 3 }).enumerate() {
        for other in FEATURES[at..].iter().filter(|other| is_long || *other == one) {
            cargo(&format!("check --quiet --lib --target {} --features={one},{other}", wasm::TARGET))?;
        }
    }
    Ok(())
}

fn build() -> Result<()> {
    build::package()?;
    kernels::build()?;
    build::app()
}

/// Where a check keeps what it found.
fn memory(name: &str) -> PathBuf {
    paths::target().join("xtask").join(name)
}

fn types() -> Result<()> {
    all([("tsconfig.json", "package.tsbuildinfo"), ("www/tsconfig.json", "app.tsbuildinfo")].map(|(project, found)| {
        // tsc keeps the hashes of all files that it reads, and checks again what depends on a changed one.
        let tsc = ["--noEmit", "--incremental", "-p", project, "--tsBuildInfoFile"];
        cmd::run(tools::npm_script("typescript/bin/tsc").args(tsc).arg(memory(found)))
    }))
}

fn lint() -> Result<()> {
    tools::npm_packages()?;
    // Both programs check a file again if its content, the configuration or their version has changed.
    let cached = ["--cache", "--cache-strategy=content", "--cache-location"];
    let eslint = |args: &[&str]| {
        let mut command = tools::npm_script("eslint/bin/eslint.js");
        command.arg("--max-warnings=0").args(args);
        command
    };
    let mut prettier = tools::npm_script("prettier/bin/prettier.cjs");
    // The rules for the app ask for types, which depend on other files. So either all of its files are checked or none.
    let mut typed = Stamp::new("eslint-app.stamp");
    let configuration = ["www/tsconfig.json", "tsconfig.json", "eslint.config.js", "package.json", "package-lock.json"];
    for input in ["www/src", "pkg"].into_iter().chain(configuration) {
        typed = typed.path(&paths::at(input))?;
    }
    all([
        cmd::run(eslint(&[".", "--ignore-pattern=www/src/"]).args(cached).arg(memory("eslint.json"))),
        typed.run(&[], || cmd::run(&mut eslint(&["www/src"]))).map(drop),
        cmd::run(prettier.args(["--check", "--log-level=warn", "."]).args(cached).arg(memory("prettier.json"))),
    ])
}

fn package() -> Result<()> {
    tools::npm_packages()?;
    let mut tests = stamp::files(&paths::at("tests/template"))?;
    tests.extend(stamp::files(&paths::at("tests/package"))?);
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    let mut command = cmd::new("node");
    // Some tests wait for programs and browsers, so more of them run at once than there are processors.
    command.args(["--test", "--test-reporter=spec", "--test-concurrency=3"]).args(tests);
    if let Some(path) = python::interpreter()? {
        command.env("GGUF_PYTHON", path);
    }
    cmd::run(tools::with_browser(&mut command)?)
}

fn documentation() -> Result<()> {
    docs::build()?;
    let mut command = cmd::new("node");
    command.args(["--test", "--test-reporter=spec", "tests/site/pages.test.mjs", "tests/site/browser.test.mjs"]);
    command.current_dir(paths::root()).env("GGUF_DOCS", paths::target().join("docs"));
    cmd::run(tools::with_browser(&mut command)?)
}

fn browser() -> Result<()> {
    tools::npm_packages()?;
    let args = "test -c tests/browser/playwright.config.ts".split(' ');
    let mut command = tools::npm_script("@playwright/test/cli.js");
    command.args(args);
    if let Some(path) = python::interpreter()? {
        command.env("GGUF_PYTHON", path);
    }
    cmd::run(tools::with_browser(&mut command)?)
}

fn engines() -> Result<()> {
    tools::npm_packages()?;
    tools::engines()?;
    let mut command = cmd::new("node");
    command.args(["--test", "--test-reporter=spec", "tests/engines/engines.test.mjs"]).current_dir(paths::root());
    cmd::run(tools::with_browser(&mut command)?)
}
