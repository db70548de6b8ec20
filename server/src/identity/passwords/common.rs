//! The passwords that attackers try first: the most frequent ones in leaked lists.

use std::cmp::Ordering;

/// Sorted by bytes, in lower case, one a line, all of 8 characters and more; `server/data/make-common-passwords` names the source. The text
/// is searched directly: a table of its lines would take three times the memory.
const COMMON: &str = include_str!("../../../data/common-passwords.txt");

/// Returns whether a password is on the list, regardless of upper and lower case.
pub(super) fn is_common(password: &str) -> bool {
    let wanted = password.to_lowercase();
    let (mut start, mut end) = (0, COMMON.len());
    // The line sought, if it exists, lies between `start` and `end`; each of them is the start of a line or the end of the text.
    while start < end {
        let middle = start + (end - start) / 2;
        let line_start = COMMON[start..middle]
            .rfind('\n')
            .map_or(start, |at| start + at + 1);
        let line_end = COMMON[middle..].find('\n').map_or(end, |at| middle + at);
        match COMMON[line_start..line_end].cmp(&wanted) {
            Ordering::Equal => return true,
            Ordering::Less => start = line_end + 1,
            Ordering::Greater => end = line_start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_list_is_found_and_nothing_between() {
        let all: Vec<&str> = COMMON.lines().collect();
        assert!(all.len() >= 10_000, "{}", all.len());
        assert!(all.is_sorted() && COMMON.is_ascii() && COMMON.ends_with('\n'));
        for word in &all {
            assert!(is_common(word), "{word}");
            assert!(
                word.len() >= 8 && !is_common(&format!("{word} \u{1}")),
                "{word}"
            );
            assert!(!is_common(&word[..7]), "{word}");
        }
        assert!(is_common("PassWord1") && is_common("ZXCVBNM123"));
        for other in ["", "\n", "0", "~~~~~~~~~", "korosho na maembe", "ßßßßßßßß"] {
            assert!(!is_common(other), "{other:?}");
        }
    }
}
