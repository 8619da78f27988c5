//! What asks a run to stop: Ctrl-C, being told to end, and a window that is closed.

#[cfg(windows)]
mod windows;

use std::process;
use std::thread;

use sharemark_report::{Language, Words};
use sharemark_runner::Interrupts;

use crate::console::Console;
use crate::display::Display;
use crate::exit::Exit;

/// The first Ctrl-C ends the phase, the second the run, a third the program.
pub(crate) fn listen(interrupts: &Interrupts, display: &Display<'_>, language: Language) {
    let (counter, voice) = (interrupts.clone(), display.voice());
    let (tell, told) = std::sync::mpsc::channel();
    // Saying something may wait for ever, on a terminal that is held with Ctrl-S: counting must not.
    thread::spawn(move || {
        let console = Console::new(Words::new(language));
        for count in told {
            let id = if count == 1 { "cli-interrupt" } else { "cli-interrupt-again" };
            voice.say(&console.words().text(id), &console);
        }
    });
    let handler = move || match counter.request() {
        count @ 1..=2 => {
            tell.send(count).ok();
        }
        _ => process::exit(Exit::Partial as i32),
    };
    // Without a handler Ctrl-C ends the program as usual, and the manifest is left for `clean`.
    ctrlc::set_handler(handler).ok();
    #[cfg(windows)]
    windows::listen_for_the_end(interrupts);
}
