//! The word that was probably meant: for "did you mean" in messages.

/// Longer words are not compared, so that no input can cost more than a few thousand steps a candidate.
const LONGEST: usize = 64;

/// The candidate nearest to `word`: one that differs in case only, else the first of those with the fewest characters
/// to insert, delete or replace, where at most a third of `word` may be wrong (one character of a short word). Case
/// does not count as a difference.
///
/// ```
/// use handoff_guard::protocol::nearest::nearest;
/// assert_eq!(nearest("ready", ["BLOCKED", "READY"].into_iter()), Some("READY"));
/// assert_eq!(nearest("DONE", ["BLOCKED", "READY"].into_iter()), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word)?;
    let allowed = (word.len() / 3).max(1);
    let distances = candidates.filter_map(|candidate| {
        let letters = folded(candidate)?;
        let hopeless = letters.len().abs_diff(word.len()) > allowed;
        (!hopeless).then(|| (distance(&word, &letters), candidate))
    });
    distances.filter(|&(distance, _)| distance <= allowed).min_by_key(|&(distance, _)| distance).map(|(_, found)| found)
}

/// The characters of `word` in lower case; nothing for an empty or a very long word.
fn folded(word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    (1..=LONGEST).contains(&letters.len()).then_some(letters)
}

/// Levenshtein distance, one row at a time: `row` holds the distances of the read part of `from` to every start of `to`.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (read, letter) in from.iter().enumerate() {
        let mut next = vec![read + 1];
        let mut last = read + 1;
        for (pair, wanted) in row.windows(2).zip(to) {
            let &[diagonal, above] = pair else { continue };
            last = (diagonal + usize::from(letter != wanted)).min(above + 1).min(last + 1);
            next.push(last);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 3] = ["tldr/status-line", "tldr/status-mismatch", "yaml/syntax"];

    fn nearest_id(word: &str) -> Option<&'static str> {
        nearest(word, IDS.into_iter())
    }

    #[test]
    fn a_word_in_another_case_is_the_word() {
        assert_eq!(nearest("verified", ["UNVERIFIED", "VERIFIED"].into_iter()), Some("VERIFIED"));
    }

    #[test]
    fn a_slip_is_found_and_another_word_is_not() {
        assert_eq!(nearest_id("tldr/status_lines"), Some("tldr/status-line"));
        assert_eq!(nearest_id("yaml/sintax"), Some("yaml/syntax"));
        assert_eq!(nearest_id("state/verdict-change"), None);
        assert_eq!(nearest_id(""), None);
    }

    #[test]
    fn a_short_word_may_have_one_wrong_character() {
        assert_eq!(nearest("tset", ["test", "diff"].into_iter()), None);
        assert_eq!(nearest("tes", ["test", "diff"].into_iter()), Some("test"));
    }

    #[test]
    fn distance_counts_insertions_deletions_and_replacements() {
        let count = |from: &str, to: &str| distance(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>());
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("任务", "任"), 1);
        assert_eq!(count("", "abc"), 3);
        assert_eq!([count("abc", ""), count("xabc", "abc"), count("abc", "xabc"), count("abc", "xyz")], [3, 1, 1, 3]);
    }

    #[test]
    fn a_very_long_word_is_answered_without_comparing_it() {
        assert_eq!(nearest_id(&"x".repeat(1 << 22)), None);
    }
}
