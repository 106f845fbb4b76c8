//! A list of columns, filled without branches.

/// A list of columns with a fixed capacity, written ahead of its length: keeping a column is an addition, not a branch
/// that the processor must predict.
#[derive(Debug)]
pub(super) struct List {
    /// Has one place more than there are columns, because a column that is not kept is also written.
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

    /// Replaces the list with the columns that `work` writes.
    #[inline(always)]
    pub(super) fn rewrite(&mut self, work: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer { items: &mut self.items, len: 0 };
        work(&mut writer);
        self.len = writer.len;
    }

    /// Moves the columns for which `goes` returns true to `to`; the others keep their order.
    #[inline(always)]
    pub(super) fn split_off(&mut self, to: &mut List, goes: impl Fn(u16) -> bool) {
        let mut stay = Writer { items: &mut self.items, len: 0 };
        let mut go = Writer { items: &mut to.items, len: to.len };
        for at in 0..self.len {
            let column = stay.items[at];
            let goes = goes(column);
            stay.push_if(column, !goes);
            go.push_if(column, goes);
        }
        self.len = stay.len;
        to.len = go.len;
    }
}

/// A writer of a list. (The length stays in a register while the list is written.)
pub(super) struct Writer<'a> {
    items: &'a mut [u16],
    len: usize,
}

impl Writer<'_> {
    /// Appends `column` if `keep`.
    #[inline(always)]
    pub(super) fn push_if(&mut self, column: u16, keep: bool) {
        self.items[self.len] = column;
        self.len += usize::from(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_keeps_each_column_once() {
        let (mut from, mut to) = (List::new(10), List::new(10));
        from.rewrite(|list| (0..20).for_each(|column| list.push_if(column, column < 10)));
        from.split_off(&mut to, |column| column % 3 == 0);
        assert_eq!(from.as_slice(), [1, 2, 4, 5, 7, 8]);
        assert_eq!(to.as_slice(), [0, 3, 6, 9]);
        from.split_off(&mut to, |_| true);
        assert!(from.is_empty() && to.as_slice().len() == 10);
    }
}
