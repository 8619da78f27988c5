//! What a server asks for in `WWW-Authenticate` (RFC 9110, 11.6.1).

/// A way to prove who asks, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Basic,
    Digest,
    Other,
}

/// One offer with its parameters; their names are in lower case.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    pub(super) scheme: Scheme,
    parameters: Vec<(String, String)>,
}

impl Challenge {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The offers in one header. Commas stand between the parameters of an offer as well as between offers, so that only
/// what follows a word tells whether it is the name of a parameter or of an offer.
pub(super) fn parse(header: &str) -> Vec<Challenge> {
    let mut offers: Vec<Challenge> = Vec::new();
    let mut rest = header;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let end = rest.find([' ', '\t', ',', '=', '"']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let value = after.trim_start_matches([' ', '\t']).strip_prefix('=');
        match (value, word.is_empty()) {
            (_, true) => return offers,
            (Some(value), _) => {
                let (value, after) = parameter(value.trim_start_matches([' ', '\t']));
                if let Some(offer) = offers.last_mut() {
                    offer.parameters.push((word.to_ascii_lowercase(), value));
                }
                rest = after;
            }
            (None, _) => {
                let scheme = match word.to_ascii_lowercase().as_str() {
                    "basic" => Scheme::Basic,
                    "digest" => Scheme::Digest,
                    _ => Scheme::Other,
                };
                offers.push(Challenge { scheme, parameters: Vec::new() });
                rest = after;
            }
        }
    }
}

/// A value, quoted or not, and what follows it.
fn parameter(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        // An offer's lone token may end in more than one `=`.
        let text = text.trim_start_matches('=');
        let (value, rest) = text.split_at(text.find([' ', '\t', ',']).unwrap_or(text.len()));
        return (value.to_owned(), rest);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}
