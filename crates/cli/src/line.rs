//! The line of a progress bar: what is done and what is left, as much of it as fits the terminal.

/// The width of the bar itself, where there is room.
const BAR: usize = 30;
/// The narrowest bar that is drawn.
const LEAST_BAR: usize = 5;

/// A part of the line after the name and the bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Parts of a lower rank are kept where not all fit.
    rank: u8,
    text: String,
}

impl Part {
    pub(crate) fn new(rank: u8, text: String) -> Part {
        Part { rank, text }
    }
}

/// The line `name [bar] part, part`, at most `width` characters long: where it is too long, parts are left out, the
/// highest rank first; then the bar is left out, and then the name is shortened. Without a `fraction` there is no bar.
pub(crate) fn fitted(name: &str, fraction: Option<f64>, parts: &[Part], width: usize) -> String {
    let mut limit = parts.iter().map(|part| part.rank + 1).max().unwrap_or(0);
    loop {
        let kept = parts.iter().filter(|part| part.rank < limit).map(|part| &part.text[..]);
        let tail = kept.collect::<Vec<_>>().join(", ");
        let text = if tail.is_empty() { name.to_owned() } else { format!("{name} {tail}") };
        let room = width.saturating_sub(length(&text));
        if length(&text) <= width {
            // A space and two brackets.
            let bar = room.saturating_sub(3).min(BAR);
            return match fraction.filter(|_| bar >= LEAST_BAR && !tail.is_empty()) {
                Some(fraction) => format!("{name} [{}] {tail}", bar_of(fraction, bar)),
                None => text,
            };
        }
        if limit == 0 {
            let cut = name.chars().take(width.saturating_sub(1));
            return if width == 0 { String::new() } else { cut.chain(['…']).collect() };
        }
        limit -= 1;
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn bar_of(fraction: f64, width: usize) -> String {
    let done = (fraction.clamp(0.0, 1.0) * width as f64) as usize;
    let head = if done < width && done > 0 { ">" } else { "" };
    let line = "=".repeat(done - head.len());
    format!("{:<width$}", line + head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_left_out_until_the_line_fits() {
        let parts = [
            Part::new(0, "25%".to_owned()),
            Part::new(2, "1,194,002,746 nodes".to_owned()),
            Part::new(1, "53 min left".to_owned()),
        ];
        let at = |width| fitted("bound 105", Some(0.25), &parts, width);
        assert_eq!(
            at(200),
            format!("bound 105 [======>{}] 25%, 1,194,002,746 nodes, 53 min left", " ".repeat(23))
        );
        assert_eq!(at(55), "bound 105 [>    ] 25%, 1,194,002,746 nodes, 53 min left");
        assert_eq!(at(50), "bound 105 25%, 1,194,002,746 nodes, 53 min left");
        assert_eq!(at(40), "bound 105 [=>         ] 25%, 53 min left");
        assert_eq!(at(14), "bound 105 25%");
        assert_eq!(at(9), "bound 105");
        assert_eq!(at(6), "bound…");
        assert_eq!(at(0), "");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let parts: Vec<Part> = (0..5).map(|rank| Part::new(rank, "x".repeat(rank as usize * 3))).collect();
        for width in 0..120 {
            for fraction in [None, Some(0.0), Some(0.5), Some(1.0)] {
                assert!(length(&fitted("a phase", fraction, &parts, width)) <= width);
            }
        }
    }
}
