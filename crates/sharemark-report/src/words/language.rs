//! The languages sharemark speaks.

/// A language sharemark speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, which is also the answer where no other language is known.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// Every language, English first.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// The language a tag names, as people and systems write it: `ja`, `ja-JP`, `ja_JP.UTF-8`, `en_US@euro`; `None`
    /// for a language sharemark does not speak and for `C` or `POSIX`, which name none.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_', '.', '@']).next()?;
        Self::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }

    /// The tag of the language: `en` or `ja`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_systems_write_them() {
        for tag in ["ja", "JA", "ja-JP", "ja_JP.UTF-8", "ja_JP@calendar=japanese", " ja "] {
            assert_eq!(Language::from_tag(tag), Some(Language::Japanese), "{tag}");
        }
        for tag in ["en", "en-GB", "en_US.UTF-8", "EN"] {
            assert_eq!(Language::from_tag(tag), Some(Language::English), "{tag}");
        }
        for tag in ["", "C", "POSIX", "C.UTF-8", "de_DE", "jav", "english"] {
            assert_eq!(Language::from_tag(tag), None, "{tag}");
        }
    }
}
