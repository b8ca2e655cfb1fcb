//! `cargo xtask test`: runs all checks, the quick ones first, and lists what failed at the end.

use crate::args::Args;
use crate::counts::Counts;
use crate::{build, cmd, deny, kernels, notice, paths, python, tools, wasm};
use anyhow::{Result, bail};
use std::process::ExitCode;
use std::time::Instant;

struct Step {
    name: &'static str,
    what: &'static str,
    /// Whether the step uses what the step `build` makes. It is skipped if that step failed: it would test an older build.
    needs_build: bool,
    run: fn(&mut Counts) -> Result<()>,
}

/// The name of the step that other steps need.
const BUILD: &str = "build";

const STEPS: [Step; 13] = [
    Step { name: "fmt", needs_build: false, run: fmt, what: "rustfmt" },
    Step { name: "clippy", needs_build: false, run: clippy, what: "clippy, for the native and the WebAssembly target" },
    Step { name: "doc", needs_build: false, run: doc, what: "the documentation of the crate, without warnings" },
    Step { name: "deny", needs_build: false, run: |_| deny::check(), what: "licences and sources of all crates" },
    Step { name: "native", needs_build: false, run: native, what: "Rust tests and documentation examples" },
    Step {
        name: "bare",
        needs_build: false,
        run: bare,
        what: "compiles the crate without std, for a target without an operating system",
    },
    Step {
        name: "features",
        needs_build: false,
        run: features,
        what: "compiles the crate with each feature of the package, and with each two of them",
    },
    Step { name: BUILD, needs_build: false, run: build, what: "builds the package and the app" },
    Step {
        name: "notice",
        needs_build: true,
        run: notice,
        what: "the packages in NOTICE are those that the modules and the app contain",
    },
    Step { name: "types", needs_build: true, run: types, what: "type check of TypeScript and JavaScript" },
    Step { name: "lint", needs_build: false, run: lint, what: "eslint and prettier" },
    Step {
        name: "package",
        needs_build: true,
        run: package,
        what: "tests of the package in Node.js, packed and installed; chat templates",
    },
    Step { name: "browser", needs_build: true, run: browser, what: "tests of the app in Chromium" },
];

pub fn run(args: &[String]) -> Result<ExitCode> {
    let mut args = Args::new(args);
    if args.flag("--list") {
        for step in STEPS {
            println!("{:8} {}", step.name, step.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = args.words()?;
    if let Some(unknown) = wanted.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        bail!("unknown step {unknown}: `cargo xtask test --list` prints the names");
    }
    let mut counts = Counts::default();
    let mut failures: Vec<String> = Vec::new();
    let mut build_failed = false;
    for step in STEPS.iter().filter(|step| wanted.is_empty() || wanted.iter().any(|name| name == step.name)) {
        if build_failed && step.needs_build {
            failures.push(format!("{}: skipped, because {BUILD} failed", step.name));
            continue;
        }
        println!("{}: {}", step.name, step.what);
        let start = Instant::now();
        let failed_before = counts.failed;
        let result = (step.run)(&mut counts);
        let seconds = start.elapsed().as_secs_f64();
        if let Err(error) = result {
            counts.failed = counts.failed.max(failed_before + 1);
            build_failed |= step.name == BUILD;
            failures.push(format!("{}: failed after {seconds:.1} s: {error:#}", step.name));
            println!("{}", failures.last().expect("it was just added"));
        } else {
            println!("{}: ok, {seconds:.1} s", step.name);
        }
    }
    if !failures.is_empty() {
        println!("\nwhat failed:");
        failures.iter().for_each(|failure| println!("  {failure}"));
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(if counts.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fmt(_: &mut Counts) -> Result<()> {
    tools::component("rustfmt", "fmt")?;
    cmd::run(cmd::cargo().args(["fmt", "--all", "--check"]))
}

fn clippy(_: &mut Counts) -> Result<()> {
    tools::component("clippy", "clippy")?;
    tools::target("wasm32-unknown-unknown")?;
    let clippy =
        |args: &[&str]| cmd::run(cmd::cargo().args(["clippy", "--quiet"]).args(args).args(["--", "-D", "warnings"]));
    clippy(&["--workspace", "--all-targets", "--all-features"])?;
    clippy(&["--lib", "--features=web", "--target=wasm32-unknown-unknown"])
}

fn doc(_: &mut Counts) -> Result<()> {
    cmd::run(
        cmd::cargo()
            .args(["doc", "--quiet", "--workspace", "--no-deps", "--all-features"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn native(counts: &mut Counts) -> Result<()> {
    let mut command = cmd::cargo();
    if let Some(path) = python::interpreter()? {
        command.env("GGUF_PYTHON", path);
    }
    counts.run(command.args(["test", "--quiet", "--workspace", "--all-features", "--no-fail-fast"]))
}

fn bare(_: &mut Counts) -> Result<()> {
    let target = "wasm32v1-none";
    tools::target(target)?;
    cmd::run(cmd::cargo().args(["check", "--quiet", "--lib", "--target", target]))
}

fn features(_: &mut Counts) -> Result<()> {
    const FEATURES: [&str; 5] = ["values", "know", "edit", "files", "convert"];
    tools::target(wasm::TARGET)?;
    for (at, one) in FEATURES.iter().enumerate() {
        for other in &FEATURES[at..] {
            let features = format!("--features={one},{other}");
            cmd::run(cmd::cargo().args(["check", "--quiet", "--lib", "--target", wasm::TARGET, &features]))?;
        }
    }
    Ok(())
}

fn build(_: &mut Counts) -> Result<()> {
    build::package()?;
    kernels::build()?;
    build::app()
}

fn notice(_: &mut Counts) -> Result<()> {
    notice::check()
}

fn types(_: &mut Counts) -> Result<()> {
    for project in ["tsconfig.json", "www/tsconfig.json"] {
        if paths::at(project).exists() {
            cmd::run(tools::npm_script("typescript/bin/tsc").args(["--noEmit", "-p", project]))?;
        }
    }
    Ok(())
}

fn lint(_: &mut Counts) -> Result<()> {
    tools::npm_packages()?;
    cmd::run(tools::npm_script("eslint/bin/eslint.js").args(["--max-warnings=0", "."]))?;
    cmd::run(tools::npm_script("prettier/bin/prettier.cjs").args(["--check", "--log-level=warn", "."]))
}

fn package(counts: &mut Counts) -> Result<()> {
    tools::npm_packages()?;
    let mut folders = vec![paths::at("tests/template")];
    for folder in std::fs::read_dir(paths::at("tests/package"))? {
        folders.push(folder?.path());
    }
    let mut tests = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for file in std::fs::read_dir(folder)? {
            tests.push(file?.path());
        }
    }
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    tests.sort();
    let mut command = cmd::new("node");
    // Some tests wait for programs and browsers, so more of them run at once than there are processors.
    command.args(["--test", "--test-reporter=spec", "--test-concurrency=3"]).args(tests);
    if let Some(path) = python::interpreter()? {
        command.env("GGUF_PYTHON", path);
    }
    counts.run(tools::with_browser(&mut command)?)
}

fn browser(counts: &mut Counts) -> Result<()> {
    let config = "tests/browser/playwright.config.ts";
    if !paths::at(config).exists() {
        return Ok(());
    }
    tools::npm_packages()?;
    counts.run(tools::with_browser(tools::npm_script("@playwright/test/cli.js").args(["test", "-c", config]))?)
}
