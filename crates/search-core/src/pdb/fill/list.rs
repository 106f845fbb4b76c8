//! A list of columns that is filled without branches.

/// At most as many columns as were announced, in an array that is written ahead of its length:
/// whether a column stays is an addition, not a jump that the processor must guess.
#[derive(Debug)]
pub(super) struct List {
    /// One place more than there are columns: the place that the last, unkept write goes to.
    items: Vec<u16>,
    len: usize,
}

impl List {
    pub(super) fn new(columns: usize) -> List {
        List { items: vec![0; columns + 1], len: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn as_slice(&self) -> &[u16] {
        &self.items[..self.len]
    }

    /// Appends `column` if `keep`.
    #[inline(always)]
    pub(super) fn push_if(&mut self, column: u16, keep: bool) {
        self.items[self.len] = column;
        self.len += usize::from(keep);
    }

    /// Moves to `to` the columns that `goes`, keeping the order of those that stay.
    #[inline(always)]
    pub(super) fn split_off(&mut self, to: &mut List, goes: impl Fn(u16) -> bool) {
        let before = std::mem::take(&mut self.len);
        for at in 0..before {
            let column = self.items[at];
            let goes = goes(column);
            self.push_if(column, !goes);
            to.push_if(column, goes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_keeps_everything_once() {
        let (mut from, mut to) = (List::new(10), List::new(10));
        (0..10).for_each(|column| from.push_if(column, true));
        from.split_off(&mut to, |column| column % 3 == 0);
        assert_eq!(from.as_slice(), [1, 2, 4, 5, 7, 8]);
        assert_eq!(to.as_slice(), [0, 3, 6, 9]);
        from.split_off(&mut to, |_| true);
        assert!(from.is_empty() && to.as_slice().len() == 10);
    }
}
