//! The program. All of it is in the library beside this file.

fn main() -> std::process::ExitCode {
    sharemark::main()
}
