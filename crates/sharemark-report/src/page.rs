//! A page of lines for a terminal: wrapped to its width, coloured sparingly.

use crate::layout::{columns, wrap};

/// How a text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// The columns there are; text is wrapped and tables lose columns to fit. Below 20 it is taken as 20.
    pub width: usize,
    /// Whether colours and bold type may be used.
    pub colour: bool,
}

impl TextStyle {
    /// The columns to fit in.
    pub(crate) fn columns(self) -> usize {
        self.width.max(20)
    }
}

impl Default for TextStyle {
    /// 80 columns without colour.
    fn default() -> Self {
        Self { width: 80, colour: false }
    }
}

/// What stands out, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    /// The answer: headlines.
    Strong,
    /// Headings and what is there to be looked up.
    Faint,
    /// Something to keep in mind.
    Caution,
    /// Something that spoils the result.
    Alarm,
}

impl Ink {
    /// The SGR parameters (ECMA-48) of the ink.
    const fn parameters(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Strong => Some("1"),
            Self::Faint => Some("2"),
            Self::Caution => Some("33"),
            Self::Alarm => Some("1;31"),
        }
    }
}

/// Lines that were laid out so far.
pub(crate) struct Page {
    style: TextStyle,
    text: String,
}

impl Page {
    pub(crate) const fn new(style: TextStyle) -> Self {
        Self { style, text: String::new() }
    }

    /// The columns there are.
    pub(crate) fn columns(&self) -> usize {
        self.style.columns()
    }

    /// An empty line, unless nothing or an empty line stands before it.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line as it is.
    pub(crate) fn line(&mut self, indent: usize, text: &str, ink: Ink) {
        self.text.push_str(&" ".repeat(indent));
        match ink.parameters() {
            Some(parameters) if self.style.colour => {
                self.text.push_str(&format!("\x1b[{parameters}m{text}\x1b[0m"));
            }
            _ => self.text.push_str(text),
        }
        self.text.push('\n');
    }

    /// A text wrapped to the width, every line of it indented.
    pub(crate) fn paragraph(&mut self, indent: usize, text: &str, ink: Ink) {
        self.hanging(indent, "", text, ink);
    }

    /// A text wrapped to the width behind a mark; its further lines begin where the text after the mark begins.
    pub(crate) fn hanging(&mut self, indent: usize, mark: &str, text: &str, ink: Ink) {
        let hang = columns(mark);
        let room = self.columns().saturating_sub(indent + hang);
        for (number, line) in wrap(text, room).into_iter().enumerate() {
            if number == 0 {
                self.line(indent, &format!("{mark}{line}"), ink);
            } else {
                self.line(indent + hang, &line, ink);
            }
        }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
