//! Standard output for results, standard error for everything else.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use sharemark_report::{TextStyle, Words};

use crate::exit::{Exit, Problem};

/// Results wider than this are hard to read, however wide the window is.
const WIDEST: usize = 120;

/// Where to write, and in which language.
pub(crate) struct Console {
    words: Words,
    colour: bool,
}

impl Console {
    pub(crate) const fn new(words: Words) -> Self {
        Self { words, colour: true }
    }

    pub(crate) fn without_colour(self) -> Self {
        Self { colour: false, ..self }
    }

    pub(crate) const fn words(&self) -> &Words {
        &self.words
    }

    /// How results are laid out: to the terminal's width, and plainly in a pipe.
    pub(crate) fn style(&self) -> TextStyle {
        let width = console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns));
        let choice = AutoStream::choice(&io::stdout());
        TextStyle { width: width.min(WIDEST), colour: self.colour && choice != ColorChoice::Never }
    }

    /// The same for what goes to standard error.
    pub(crate) fn error_style(&self) -> TextStyle {
        let choice = AutoStream::choice(&io::stderr());
        TextStyle { width: error_width(), colour: self.colour && choice != ColorChoice::Never }
    }

    /// Writes a result. A reader that has gone away, as `head` does, is no failure.
    pub(crate) fn result(&self, text: &str) -> Result<(), Problem> {
        let mut out = anstream::stdout();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let (path, system) = ("-", error.to_string());
                let values = [("path", path.into()), ("system", system.into())];
                Err(Problem::failed(self.words.format("cli-error-output", &values)))
            }
            _ => Ok(()),
        }
    }

    /// Says something beside the results.
    pub(crate) fn say(&self, text: &str) {
        // Nobody is left to be told that this cannot be written.
        writeln!(anstream::stderr(), "{}", text.trim_end()).ok();
    }

    /// Says what ends the program. A failure has more than one line: what was tried, what was answered, what to do.
    pub(crate) fn problem(&self, problem: &Problem) {
        let mut lines = problem.text.lines();
        self.say(&self.words.format("cli-error", &[("text", lines.next().unwrap_or_default().into())]));
        lines.for_each(|line| self.say(line));
        if let Some(command) = &problem.hint
            && problem.exit == Exit::Usage
        {
            let hint = self.words.format("cli-error-help", &[("command", command.into())]);
            self.say(&self.words.format("cli-hint", &[("text", hint.into())]));
        }
    }
}

/// The columns of the terminal that standard error goes to.
pub(crate) fn error_width() -> usize {
    console::Term::stderr().size_checked().map_or(100, |(_, columns)| usize::from(columns))
}

/// Whether somebody watches standard error.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Whether the terminal shows a block character in one column. The console window of a Chinese, Japanese or Korean Windows
/// gives it two, as its code page did, so that a line which seemed to fit would go on in the next row; Windows Terminal
/// does not.
#[cfg(windows)]
pub(crate) fn has_narrow_blocks() -> bool {
    const WIDE: [u32; 4] = [932, 936, 949, 950];
    // SAFETY: the call takes nothing and tells a number.
    #[expect(unsafe_code, reason = "no library in use wraps this call")]
    let code_page = unsafe { windows_sys::Win32::System::Console::GetConsoleOutputCP() };
    std::env::var_os("WT_SESSION").is_some() || !WIDE.contains(&code_page)
}

#[cfg(not(windows))]
pub(crate) const fn has_narrow_blocks() -> bool {
    true
}
