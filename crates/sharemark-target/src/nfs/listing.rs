//! The names in a folder, page by page as READDIR gives them.

use super::protocol::Verifier;
use super::trouble::Trouble;

/// The most memory that a folder's names may take: some hundred thousand of them, more than sharemark ever makes.
const ROOM: usize = 64 << 20;
/// What a name takes beside its bytes.
const AROUND: usize = 32;

/// What was listed so far.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Where the next page begins.
    pub(super) cookie: u64,
    pub(super) verifier: Verifier,
    names: Vec<String>,
    taken: usize,
}

/// What one READDIR answered.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) verifier: Verifier,
    /// Each entry's name and its cookie.
    pub(super) entries: Vec<(String, u64)>,
    /// The folder ends with it.
    pub(super) ended: bool,
}

impl Listing {
    /// Takes a page; whether another one follows.
    ///
    /// # Errors
    /// When a page that is not the last leads no further, or when there are more names than any folder has.
    pub(super) fn goes_on(&mut self, page: Page) -> Result<bool, Trouble> {
        let last = page.entries.last().map(|(_, cookie)| *cookie);
        for (name, _) in page.entries {
            self.taken += AROUND + name.len();
            if name != "." && name != ".." {
                self.names.push(name);
            }
        }
        if self.taken > ROOM {
            return Err(Trouble::Malformed("READDIR: entries"));
        }
        if page.ended {
            return Ok(false);
        }
        let next = last.filter(|next| *next != self.cookie).ok_or(Trouble::Malformed("READDIR: cookie"))?;
        (self.cookie, self.verifier) = (next, page.verifier);
        Ok(true)
    }

    /// The names, without `.` and `..`.
    pub(super) fn names(self) -> Vec<String> {
        self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(entries: &[(&str, u64)], ended: bool) -> Page {
        let entries = entries.iter().map(|(name, cookie)| ((*name).to_owned(), *cookie)).collect();
        Page { verifier: [1; 8], entries, ended }
    }

    #[test]
    fn pages_are_joined() {
        let mut listing = Listing::default();
        assert!(listing.goes_on(page(&[(".", 1), ("..", 2), ("a", 9)], false)).unwrap());
        assert_eq!((listing.cookie, listing.verifier), (9, [1; 8]));
        // A cookie is no number that has to grow.
        assert!(listing.goes_on(page(&[("b", 4)], false)).unwrap());
        assert!(!listing.goes_on(page(&[], true)).unwrap());
        assert_eq!(listing.names(), ["a", "b"]);
    }

    #[test]
    fn a_page_that_leads_no_further_is_malformed() {
        for stuck in [page(&[("b", 9)], false), page(&[], false)] {
            let mut listing = Listing::default();
            assert!(listing.goes_on(page(&[("a", 9)], false)).unwrap());
            assert_eq!(listing.goes_on(stuck).unwrap_err().to_string(), "READDIR: cookie");
        }
    }

    #[test]
    fn a_folder_that_never_ends_is_malformed() {
        let mut listing = Listing::default();
        let long = "n".repeat(1 << 20);
        let pages = (1..).map(|cookie| page(&[(&long, cookie)], false));
        let (mut taken, mut trouble) = (0, None);
        for page in pages {
            match listing.goes_on(page) {
                Ok(_) => taken += 1,
                Err(error) => {
                    trouble = Some(error);
                    break;
                }
            }
        }
        assert_eq!((trouble.unwrap().to_string().as_str(), taken), ("READDIR: entries", 63));
    }
}
