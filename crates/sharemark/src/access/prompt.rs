//! Asking for a password.

use std::io::{self, BufRead, IsTerminal};

use sharemark_model::Secret;

/// Whether somebody sits at standard input who could be asked.
pub(crate) fn can_ask() -> bool {
    io::stdin().is_terminal()
}

/// Asks on the terminal; what is typed is not shown.
///
/// # Errors
/// When there is no terminal, or the user gives none.
pub(crate) fn ask(question: &str) -> io::Result<Secret> {
    rpassword::prompt_password(question).map(Secret::new)
}

/// Asks on the terminal, or takes the first line of what is piped in.
///
/// # Errors
/// When nothing can be read.
pub(crate) fn ask_or_read(question: &str) -> io::Result<Secret> {
    if can_ask() {
        return ask(question);
    }
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let length = line.trim_end_matches(['\n', '\r']).len();
    line.truncate(length);
    Ok(Secret::new(line))
}
