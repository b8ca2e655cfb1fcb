//! `cargo xtask test`: runs all checks, three side by side, and lists what failed at the end.

use crate::args::Args;
use crate::paths;
use crate::results::Results;
use crate::steps::{BUILD, LANES, LONG, STEPS, Step};
use anyhow::{Context, Result, bail};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

pub fn run(args: &[String]) -> Result<ExitCode> {
    let mut args = Args::new(args);
    if args.flag("--list") {
        STEPS.iter().for_each(|step| println!("{:8} {}", step.name, step.what));
        return Ok(ExitCode::SUCCESS);
    }
    // The process of one step.
    if let Some(name) = args.option("--here")? {
        let step = STEPS.iter().find(|step| step.name == name).context("no such step")?;
        return (step.run)().map(|()| ExitCode::SUCCESS);
    }
    let is_long = args.flag("--long");
    let wanted = args.words()?;
    if let Some(unknown) = wanted.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        bail!("unknown step {unknown}: `cargo xtask test --list` prints the names");
    }
    let steps: Vec<_> =
        STEPS.iter().filter(|step| wanted.is_empty() || wanted.iter().any(|name| name == step.name)).collect();
    // The path of this program, which the step `native` may build again.
    let program = std::env::current_exe()?;
    let total = Mutex::new(Results::default());
    // Steps that use what `build` makes wait for it, and are skipped if it fails: they would test an older build.
    let is_built = OnceLock::new();
    if steps.iter().all(|step| step.name != BUILD) {
        is_built.get_or_init(|| true);
    }
    let run_lane = |lane: usize| {
        for step in steps.iter().filter(|step| step.lane == lane) {
            let results = if step.needs_build && !is_built.wait() {
                let why = format!("{}: skipped, because {BUILD} failed", step.name);
                Results::failed(why)
            } else {
                run_step(step, &program, is_long, steps.len() == 1)
            };
            if step.name == BUILD {
                is_built.get_or_init(|| results.failed == 0);
            }
            total.lock().expect("no step panics").add(results);
        }
    };
    std::thread::scope(|scope| (0..LANES).for_each(|lane| drop(scope.spawn(move || run_lane(lane)))));
    let Results { passed, failed, failures, .. } = total.into_inner().expect("no step panics");
    if !failures.is_empty() {
        println!("\nwhat failed:\n  {}", failures.join("\n  "));
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a step in a process of its own. Its output is printed as it comes, or at once when it has ended.
fn run_step(step: &Step, program: &Path, is_long: bool, is_live: bool) -> Results {
    let start = Instant::now();
    println!("{}: {}", step.name, step.what);
    let (mut results, mut output) = (Results::default(), String::new());
    let ended = run_apart(step, program, is_long, &mut |line| {
        results.read(line);
        if is_live { println!("{line}") } else { output.extend(["\n", line]) }
    });
    let seconds = start.elapsed().as_secs_f64();
    if results.skipped > 0 {
        let skipped = results.skipped;
        output += &format!("\n{}: NOT COVERED: {skipped} tests were skipped; the lines above say why", step.name);
    }
    match ended {
        Ok(()) => output += &format!("\n{}: ok, {seconds:.1} s", step.name),
        Err(error) => {
            let why = format!("{}: failed after {seconds:.1} s: {error:#}", step.name);
            output += &format!("\n{why}");
            results.failures.insert(0, why);
            // A runner may crash before it prints a count.
            results.failed = results.failed.max(1);
        }
    }
    println!("{output}");
    results
}

fn run_apart(step: &Step, program: &Path, is_long: bool, line: &mut dyn FnMut(&str)) -> Result<()> {
    let mut command = Command::new(program);
    command.args(["test", "--here", step.name]).current_dir(paths::root()).stdin(Stdio::null());
    // The output is parsed, so it must not contain colour codes.
    command.env("NO_COLOR", "1").env("CARGO_TERM_COLOR", "never").env_remove("FORCE_COLOR");
    if is_long {
        command.env(LONG, "1");
    }
    // Rust tests that find no corpus say so on the standard error.
    let (output, writer) = io::pipe()?;
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command keeps its ends of the pipe, and the output would not end.
    drop(command);
    for read in BufReader::new(output).split(b'\n') {
        line(&String::from_utf8_lossy(&read?));
    }
    match child.wait()? {
        status if status.success() => Ok(()),
        status => bail!("{status}"),
    }
}
