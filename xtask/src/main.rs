//! The build tool of gguf-wasm: `cargo xtask build | serve | test | bench | msrv | notice | sample`.

mod app;
mod args;
mod bench;
mod build;
mod cmd;
mod counts;
mod deny;
mod dependencies;
mod exports;
mod failed_tests;
mod glue;
mod headers;
mod http;
mod imports;
mod kernels;
mod memory_steps;
mod modules;
mod msrv;
mod notice;
mod package;
mod paths;
mod python;
mod sample;
mod script;
mod serve;
mod stamp;
mod test;
mod tools;
mod wasm;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  build [--wasm-only]           build the npm package in pkg/ and the app in www/dist
  build --quick [ENTRY...]      compile all modules, or those of the entries, in little time, to try a change
  build --features a,b          build a package whose only module has these features, in target/own-package/
  serve [--port N] [--no-open]  build, then serve the app and a sample model on a local port
  test [--long] [STEP...]       run all test steps, or only the given steps; `test --list` prints the names;
                                --long runs files of gigabytes and long fuzzing too
  bench [NAME...]               run all benchmarks, or only the given ones: open, network, kernels, preview, edit
  msrv                          compile the crate with the oldest supported compiler; rustup installs it
  notice                        write the packages that the modules and the app contain into NOTICE; needs the built app
  sample [PATH]                 write the sample model file (default: www/public/sample.gguf)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> anyhow::Result<ExitCode> {
    let (command, rest) = args.split_first().map_or(("", args), |(c, r)| (c.as_str(), r));
    match command {
        "build" => build::run(rest)?,
        "serve" => serve::run(rest)?,
        "test" => return test::run(rest),
        "bench" => bench::run(rest)?,
        "msrv" => msrv::run(rest)?,
        "notice" => notice::run(rest)?,
        "sample" => app::sample(rest)?,
        "help" | "--help" | "-h" => println!("{USAGE}"),
        _ => {
            eprintln!("{USAGE}");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}
