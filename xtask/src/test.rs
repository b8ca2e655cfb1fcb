//! `cargo xtask test`: runs all checks, and lists what failed at the end. Three steps run side by side.

use crate::args::Args;
use crate::counts::Counts;
use crate::stamp::Stamp;
use crate::{build, cmd, deny, failed_tests, kernels, notice, paths, python, tools, wasm};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Condvar, Mutex};
use std::time::Instant;

struct Step {
    name: &'static str,
    what: &'static str,
    /// Whether the step uses the output of the step `build`. It then waits for `build`. If `build` fails, it is skipped, because it would
    /// test an older build.
    needs_build: bool,
    /// Whether the step uses cargo's folder `target/debug`, which cargo locks.
    uses_cargo: bool,
    run: fn(&mut Counts) -> Result<()>,
}

/// The name of the step that other steps need.
const BUILD: &str = "build";

/// The variable that asks for the long forms of tests: `cargo xtask test --long`.
const LONG: &str = "GGUF_LONG";

/// Where the random inputs of property tests begin. Each run tests the same inputs, so that a change that breaks nothing does not fail.
/// `--long` takes other inputs each time, and finds what these miss.
const RANDOM_SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "2");

/// How many steps run at once: `browser`, `package`, and one of the steps that use cargo, which wait for each other. Each of them leaves
/// processors idle at times: the end of a build is one thread, and a page waits for its answers. Three of them fill two processors.
const SIDE_BY_SIDE: usize = 3;

/// The steps in the order in which they start. The longest ones come first, so that no long step is left for the end.
static STEPS: [Step; 13] = [
    Step { name: "fmt", needs_build: false, uses_cargo: false, run: fmt, what: "rustfmt" },
    Step { name: BUILD, needs_build: false, uses_cargo: false, run: build, what: "builds the package and the app" },
    Step { name: "browser", needs_build: true, uses_cargo: false, run: browser, what: "tests of the app in Chromium" },
    Step {
        name: "package",
        needs_build: true,
        uses_cargo: false,
        run: package,
        what: "tests of the package in Node.js, packed and installed; chat templates",
    },
    Step {
        name: "clippy",
        needs_build: false,
        uses_cargo: true,
        run: clippy,
        what: "clippy, for the native and the WebAssembly target",
    },
    Step {
        name: "features",
        needs_build: false,
        uses_cargo: true,
        run: features,
        what: "compiles the crate with each feature of the package",
    },
    Step {
        name: "native",
        needs_build: false,
        uses_cargo: true,
        run: native,
        what: "Rust tests and documentation examples",
    },
    Step {
        name: "doc",
        needs_build: false,
        uses_cargo: true,
        run: doc,
        what: "the documentation of the crates, without warnings",
    },
    Step {
        name: "bare",
        needs_build: false,
        uses_cargo: true,
        run: bare,
        what: "compiles the crates without std, for a target without an operating system",
    },
    // The rules of eslint that ask for types read the declarations of the package.
    Step { name: "lint", needs_build: true, uses_cargo: false, run: lint, what: "eslint and prettier" },
    Step {
        name: "types",
        needs_build: true,
        uses_cargo: false,
        run: types,
        what: "type check of TypeScript and JavaScript",
    },
    Step {
        name: "notice",
        needs_build: true,
        uses_cargo: false,
        run: notice,
        what: "the packages in NOTICE are those that the modules and the app contain",
    },
    Step {
        name: "deny",
        needs_build: false,
        uses_cargo: false,
        run: |_| deny::check(),
        what: "licences and sources of all crates",
    },
];

pub fn run(args: &[String]) -> Result<ExitCode> {
    let mut args = Args::new(args);
    if args.flag("--list") {
        for step in &STEPS {
            println!("{:8} {}", step.name, step.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    // Tests read the variable.
    let is_long = args.flag("--long");
    let wanted = args.words()?;
    if let Some(unknown) = wanted.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        bail!("unknown step {unknown}: `cargo xtask test --list` prints the names");
    }
    let steps: Vec<&'static Step> =
        STEPS.iter().filter(|step| wanted.is_empty() || wanted.iter().any(|name| name == step.name)).collect();
    if let ([step], false) = (&steps[..], is_long) {
        return Ok(run_here(step));
    }
    let schedule = Schedule { steps: &steps, state: Mutex::default(), changed: Condvar::new() };
    // The path of this program, which the step `native` may build again.
    let program = std::env::current_exe()?;
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(step) = schedule.next() {
                    let (ended, output) = run_apart(step, &program, is_long);
                    schedule.end(step, ended, &output);
                }
            });
        }
    });
    let State { counts, failures, .. } = schedule.state.into_inner().expect("no step panics");
    if !failures.is_empty() {
        println!("\nwhat failed:");
        for Failure { why, tests } in failures {
            println!("  {why}");
            tests.iter().for_each(|test| println!("    {test}"));
        }
    }
    println!("{counts}");
    Ok(counts.exit_code())
}

/// Runs one step in this process, and prints its output as it comes.
fn run_here(step: &Step) -> ExitCode {
    let mut counts = Counts::default();
    println!("{}: {}", step.name, step.what);
    let start = Instant::now();
    let result = (step.run)(&mut counts);
    let seconds = start.elapsed().as_secs_f64();
    if counts.skipped > 0 {
        println!("{}: NOT COVERED: {} tests were skipped; the lines above say why", step.name, counts.skipped);
    }
    match result {
        Ok(()) => println!("{}: ok, {seconds:.1} s", step.name),
        Err(error) => {
            counts.failed = counts.failed.max(1);
            println!("{}: failed after {seconds:.1} s: {error:#}", step.name);
        }
    }
    // A check that is no test counts nothing.
    if counts != Counts::default() {
        println!("{counts}");
    }
    counts.exit_code()
}

/// How a step ended.
struct Ended {
    counts: Counts,
    failure: Option<Failure>,
}

struct Failure {
    /// The line that says why the step failed.
    why: String,
    /// The names of the tests that failed.
    tests: Vec<String>,
}

/// Runs one step in a process of its own, and returns its output.
fn run_apart(step: &Step, program: &Path, is_long: bool) -> (Ended, String) {
    let run = || -> Result<(bool, String)> {
        let path = paths::target().join(format!("xtask/test-{}.txt", step.name));
        std::fs::create_dir_all(path.parent().expect("it is in a folder"))?;
        let file = File::create(&path)?;
        let mut command = Command::new(program);
        command.args(["test", step.name]).stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        if is_long {
            command.env(LONG, "1");
        }
        let status = command.status().with_context(|| format!("cannot start {}", cmd::shown(&command)))?;
        Ok((status.success(), String::from_utf8_lossy(&std::fs::read(&path)?).into_owned()))
    };
    let (is_ok, output) = run().unwrap_or_else(|error| (false, format!("{}: failed: {error:#}\n", step.name)));
    // If there are tests, the last line has the counts, and the line before it the result. Both lines are missing if the process was
    // killed.
    let mut lines = output.trim_end().lines().rev();
    let mut counts = lines.next().and_then(Counts::of_line).unwrap_or_default();
    let mut failure = None;
    if !is_ok {
        counts.failed = counts.failed.max(1);
        let prefix = format!("{}: failed", step.name);
        let line = lines.find(|line| line.starts_with(&prefix));
        let why = line.map_or_else(|| format!("{prefix}: its process ended early"), str::to_owned);
        failure = Some(Failure { why, tests: failed_tests::of_output(&output) });
    }
    (Ended { counts, failure }, output)
}

/// Which steps may start.
struct Schedule<'a> {
    steps: &'a [&'static Step],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    started: Vec<&'static str>,
    ended: Vec<&'static str>,
    build_failed: bool,
    counts: Counts,
    failures: Vec<Failure>,
}

impl Schedule<'_> {
    /// Waits for a step that may start. `None` if all have started.
    fn next(&self) -> Option<&'static Step> {
        let mut state = self.state.lock().expect("no step panics");
        loop {
            let mut waiting = self.steps.iter().filter(|step| !state.started.contains(&step.name)).peekable();
            waiting.peek()?;
            if let Some(step) = waiting.find(|step| self.may_start(step, &state)) {
                state.started.push(step.name);
                if step.needs_build && state.build_failed {
                    state.ended.push(step.name);
                    let why = format!("{}: skipped, because {BUILD} failed", step.name);
                    state.failures.push(Failure { why, tests: Vec::new() });
                    continue;
                }
                println!("{}: starts", step.name);
                return Some(step);
            }
            state = self.changed.wait(state).expect("no step panics");
        }
    }

    fn may_start(&self, step: &Step, state: &State) -> bool {
        let is_running = |other: &Step| state.started.contains(&other.name) && !state.ended.contains(&other.name);
        let builds = self.steps.iter().any(|other| other.name == BUILD);
        let waits_for_build = step.needs_build && builds && !state.ended.contains(&BUILD);
        let waits_for_cargo = step.uses_cargo && self.steps.iter().any(|other| other.uses_cargo && is_running(other));
        !waits_for_build && !waits_for_cargo
    }

    /// Prints the output of a step that has ended.
    fn end(&self, step: &Step, ended: Ended, output: &str) {
        let mut state = self.state.lock().expect("no step panics");
        println!("\n{output}");
        state.ended.push(step.name);
        state.build_failed |= step.name == BUILD && ended.failure.is_some();
        state.counts.add_all(&ended.counts);
        state.failures.extend(ended.failure);
        self.changed.notify_all();
    }
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
    clippy(&["--lib", "--target=wasm32-unknown-unknown"])
}

fn doc(_: &mut Counts) -> Result<()> {
    cmd::run(
        cmd::cargo()
            .args(["doc", "--quiet", "--workspace", "--no-deps", "--all-features"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn native(counts: &mut Counts) -> Result<()> {
    let python = python::interpreter()?;
    let mut test = |args: &[&str]| {
        let mut command = cmd::cargo();
        command.args(["test", "--quiet", "--no-fail-fast"]).args(args);
        if let Some(path) = &python {
            command.env("GGUF_PYTHON", path);
        }
        if std::env::var_os(LONG).is_none() {
            command.env(RANDOM_SEED.0, RANDOM_SEED.1);
        }
        counts.run(&mut command)
    };
    let results = [
        // The tests beside the code run for 4 s without optimisation. Compiling the crates once more with it takes 40 s.
        test(&["--workspace", "--lib", "--all-features", "--profile=dev"]),
        test(&["--package=tests", "--package=xtask"]),
        // With the packages above, the dependencies have the same features, so the optimised crates are not compiled a second time.
        test(&["--doc", "--package=gguf-*", "--package=tests", "--package=xtask"]),
    ];
    results.into_iter().collect()
}

fn bare(_: &mut Counts) -> Result<()> {
    let target = "wasm32v1-none";
    tools::target(target)?;
    // The last crate, which depends on all others but that of the JavaScript API.
    let check = ["check", "--quiet", "--package=gguf-legacy", "--no-default-features", "--target", target];
    cmd::run(cmd::cargo().args(check))
}

fn features(_: &mut Counts) -> Result<()> {
    const FEATURES: [&str; 6] = ["values", "know", "files", "edit", "convert", "models"];
    tools::target(wasm::TARGET)?;
    let is_long = std::env::var_os(LONG).is_some();
    // Those after the first three are modules of the package, which the step `build` compiles. Each two of them take minutes.
    for (at, one) in FEATURES.iter().take(if is_long { FEATURES.len() } else { 3 }).enumerate() {
        for other in FEATURES[at..].iter().filter(|other| is_long || *other == one) {
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
    for (project, memory) in [("tsconfig.json", "package.tsbuildinfo"), ("www/tsconfig.json", "app.tsbuildinfo")] {
        if paths::at(project).exists() {
            // tsc keeps the hashes of all files that it reads, and checks again what depends on a changed one.
            let memory = paths::target().join("xtask").join(memory);
            let tsc = ["--noEmit", "--incremental", "-p", project, "--tsBuildInfoFile"];
            cmd::run(tools::npm_script("typescript/bin/tsc").args(tsc).arg(memory))?;
        }
    }
    Ok(())
}

fn lint(_: &mut Counts) -> Result<()> {
    tools::npm_packages()?;
    let memory = |name: &str| paths::target().join("xtask").join(name);
    // Both programs check a file again if its content, the configuration or their version has changed.
    let cached = ["--cache", "--cache-strategy=content", "--cache-location"];
    let eslint = || {
        let mut command = tools::npm_script("eslint/bin/eslint.js");
        command.arg("--max-warnings=0");
        command
    };
    let mut prettier = tools::npm_script("prettier/bin/prettier.cjs");
    prettier.args(["--check", "--log-level=warn", "."]).args(cached).arg(memory("prettier.json"));
    // The rules for the app ask for types, which depend on other files. So either all of its files are checked or none.
    let mut typed = Stamp::new("eslint-app.stamp");
    let configuration = ["www/tsconfig.json", "tsconfig.json", "eslint.config.js", "package.json", "package-lock.json"];
    for input in ["www/src", "pkg"].into_iter().chain(configuration) {
        typed = typed.path(&paths::at(input))?;
    }
    // A check that fails does not hide the others.
    let results = [
        cmd::run(eslint().args(cached).arg(memory("eslint.json")).args([".", "--ignore-pattern=www/src/"])),
        typed.run(&[], || cmd::run(eslint().arg("www/src"))).map(drop),
        cmd::run(&mut prettier),
    ];
    results.into_iter().collect()
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
