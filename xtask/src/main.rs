//! The build tool of gguf-wasm: `cargo xtask` prints its commands.

mod addresses;
mod app;
mod args;
mod bench;
mod build;
mod cmd;
mod deny;
mod dependencies;
mod docs;
mod headers;
mod kernels;
mod memory_steps;
mod modules;
mod msrv;
mod notice;
mod package;
mod paths;
mod publish;
mod python;
mod results;
mod sample;
mod scripts;
mod serve;
mod stamp;
mod steps;
mod test;
mod tools;
mod viewer_package;
mod wasm;

use anyhow::Result;
use std::process::ExitCode;

/// A command of this tool.
struct Command {
    name: &'static str,
    /// The arguments, and what the command does with them.
    uses: &'static [(&'static str, &'static str)],
    run: fn(&[String]) -> Result<ExitCode>,
}

const COMMANDS: [Command; 9] = [
    Command {
        name: "build",
        uses: &[
            (
                "[--wasm-only]",
                "build the npm package in pkg/, the app in www/dist and the package of its element in pkg-viewer/",
            ),
            ("--quick [ENTRY...]", "compile all modules, or those of the entries, in little time, to try a change"),
            ("--features a,b", "build a package whose only module has these features, in target/own-package/"),
        ],
        run: |args| done(build::run(args)),
    },
    Command {
        name: "serve",
        uses: &[("[--port N] [--no-open]", "build, then serve the app and a sample model on a local port")],
        run: |args| done(serve::run(args)),
    },
    Command {
        name: "docs",
        uses: &[("", "build the package, and write the documentation site to target/docs")],
        run: |args| done(docs::run(args)),
    },
    Command {
        name: "test",
        uses: &[
            ("[--long] [STEP...]", "run all test steps, or only the given steps; --long runs files of gigabytes, too"),
            ("--list", "print the steps"),
        ],
        run: test::run,
    },
    Command {
        name: "bench",
        uses: &[("[NAME...]", "run all benchmarks, or only the given ones")],
        run: |args| done(bench::run(args)),
    },
    Command {
        name: "msrv",
        uses: &[("", "compile the crate with the oldest supported compiler; rustup installs it")],
        run: |args| done(msrv::run(args)),
    },
    Command {
        name: "notice",
        uses: &[("", "write the packages that the modules and the app contain into NOTICE; needs the built app")],
        run: |args| done(notice::run(args)),
    },
    Command {
        name: "package",
        uses: &[
            ("", "build, check and pack what is published: the npm packages and the crates, in target/package/"),
            ("--no-build", "pack the npm packages as they were built last"),
            ("--release", "fail if something is not committed, or if an address of the project is missing"),
        ],
        run: |args| done(publish::run(args)),
    },
    Command {
        name: "sample",
        uses: &[("[PATH]", "write the sample model file (default: www/public/sample.gguf)")],
        run: |args| done(app::sample(args)),
    },
];

fn done(result: Result<()>) -> Result<ExitCode> {
    result.map(|()| ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = args.split_first().map_or(("", &args[..]), |(name, rest)| (name.as_str(), rest));
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        println!("usage: cargo xtask <command>\n");
        for Command { name, uses, .. } in &COMMANDS {
            uses.iter().for_each(|(args, what)| println!("  {:31} {what}", format!("{name} {args}")));
        }
        return if matches!(name, "help" | "--help" | "-h") { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    (command.run)(rest).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
