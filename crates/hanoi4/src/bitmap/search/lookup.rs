//! Queries: whether a layer contains a state, and where two searches meet.

use super::BitmapSearch;
use crate::bitmap::codec::Reader;
use crate::bitmap::layer::{block_at, segment_of};
use crate::bitmap::shape::EMPTY;
use crate::error::SearchError;
use crate::model::State;

impl BitmapSearch {
    /// The block of a state's canonical form, and the location of the state in the block.
    pub(super) fn locate(&self, state: State) -> (State, (usize, usize, u32)) {
        let small = self.setup.small;
        let (large, perm) = self.blocks.group().canonical(state.above(small), self.blocks.large());
        (large, self.shape.locate(perm.state(state, small)))
    }

    /// Whether `state` is in the layer at `depth`: the current, the previous, or a kept layer.
    ///
    /// # Errors
    /// [`SearchError`] when the layer cannot be read.
    pub fn holds(&self, state: State, depth: u32) -> Result<bool, SearchError> {
        let (large, (unit, word, bit)) = self.locate(state);
        let Some(id) = self.blocks.find(large) else { return Ok(false) };
        let layer = match self.depth.checked_sub(depth) {
            None => return Ok(false),
            Some(0) => &self.current,
            Some(1) => &self.previous,
            // The first kept layer is the empty one before the seeds.
            Some(_) => &self.old[depth as usize + 1],
        };
        let mut bits = vec![EMPTY; self.shape.units()];
        let (segment, place) = segment_of(id);
        Reader::new(&layer.get(segment)?).read(place, &mut bits)?;
        Ok(bits[unit][word] >> bit & 1 == 1)
    }

    /// A state in the current layers of both searches, if one exists. Both have the same discs and the same
    /// group.
    ///
    /// # Errors
    /// [`SearchError`] when a layer cannot be read.
    pub fn meets(&self, other: &BitmapSearch) -> Result<Option<State>, SearchError> {
        let (mut here, mut there) = (vec![EMPTY; self.shape.units()], vec![EMPTY; self.shape.units()]);
        for segment in 0..self.current.segments() {
            let stream = self.current.get(segment)?;
            let mut reader = Reader::new(&stream);
            while let Some(place) = reader.place() {
                reader.read(place, &mut here)?;
                let large = self.blocks.large_discs(block_at(segment, place));
                let Some(id) = other.blocks.find(large) else { continue };
                let (segment, place) = segment_of(id);
                Reader::new(&other.current.get(segment)?).read(place, &mut there)?;
                let both = here.iter_mut().zip(&there);
                both.for_each(|(here, there)| (0..4).for_each(|word| here[word] &= there[word]));
                let mut least: Option<State> = None;
                self.shape.for_each(&here, |small| least = Some(least.map_or(small, |l| l.min(small))));
                if let Some(small) = least {
                    return Ok(Some(large.with_smaller(small, self.setup.small)));
                }
            }
        }
        Ok(None)
    }
}
