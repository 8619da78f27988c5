//! What the bytes look like that are written.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the written bytes look like to anything on the way that compresses or finds duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum DataKind {
    /// Incompressible, every 4 KiB different from every other.
    #[default]
    Random,
    /// All zeros, as the article's script wrote.
    Zeros,
    /// This share of every 4 KiB (1 to 99 %) is zeros, the rest is as `Random`.
    Compressible(u8),
}

/// The text is neither `random`, `zeros` nor `compressible=N` with N from 1 to 99.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither random, zeros nor compressible=1 to compressible=99")]
pub struct DataKindError(pub String);

impl FromStr for DataKind {
    type Err = DataKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || DataKindError(text.to_owned());
        match text {
            "random" => Ok(Self::Random),
            "zeros" => Ok(Self::Zeros),
            _ => {
                let percent = text.strip_prefix("compressible=").ok_or_else(wrong)?;
                let percent: u8 = percent.trim_end_matches('%').parse().map_err(|_| wrong())?;
                if (1..=99).contains(&percent) { Ok(Self::Compressible(percent)) } else { Err(wrong()) }
            }
        }
    }
}

impl fmt::Display for DataKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Zeros => f.write_str("zeros"),
            Self::Compressible(percent) => write!(f, "compressible={percent}"),
        }
    }
}

impl TryFrom<String> for DataKind {
    type Error = DataKindError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<DataKind> for String {
    fn from(kind: DataKind) -> Self {
        kind.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_kinds_are_read_as_they_are_shown() {
        for text in ["random", "zeros", "compressible=50"] {
            assert_eq!(text.parse::<DataKind>().unwrap().to_string(), text);
        }
        for text in ["", "Random", "compressible", "compressible=0", "compressible=100", "compressible=-3"] {
            assert_eq!(text.parse::<DataKind>(), Err(DataKindError(text.to_owned())));
        }
    }
}
