//! Phase 2: the solutions of a cube in H by turns of H.

use super::TwoPhase;
use super::coordinates::{INNER, Places, may_follow};
use super::distances::Inner;
use crate::cube::Turn;

/// The coordinates of phase 2.
#[derive(Clone, Copy)]
struct Inside {
    corners: u16,
    edges: u16,
    slice: u16,
}

/// A search by iterative deepening.
pub(super) struct PhaseTwo<'a> {
    tables: &'a Inner,
    costs: [u32; INNER.len()],
    /// The turns that may follow each face (index 6: none), as numbers among the turns of H.
    follow: [Vec<usize>; 7],
}

impl<'a> PhaseTwo<'a> {
    pub(super) fn new(tables: &'a TwoPhase) -> PhaseTwo<'a> {
        let follow = |last| (0..INNER.len()).filter(|&i| may_follow(last, INNER[i])).collect();
        PhaseTwo {
            tables: &tables.inner,
            costs: INNER.map(|turn| tables.metric.length(turn)),
            follow: std::array::from_fn(follow),
        }
    }

    /// Searches for a shortest solution that costs at most `most`, after a turn of the face `last`. It is appended to
    /// `path`. `count` receives the numbers of generated nodes, and returns whether to continue.
    pub(super) fn search(
        &self,
        places: &Places,
        most: u32,
        last: usize,
        path: &mut Vec<Turn>,
        count: &mut impl FnMut(u64) -> bool,
    ) -> bool {
        let (corners, slice) = (places.corners(), places.slice());
        let bound = self.tables.corners.get(corners, slice);
        if u32::from(bound) > most {
            return false;
        }
        let edges = places.edges();
        let bound = u32::from(bound.max(self.tables.edges.get(edges, slice)));
        let at = Inside { corners, edges, slice };
        (bound..=most).any(|left| self.inside(at, left, last, path, count))
    }

    /// Searches for a solution that costs at most `left`.
    fn inside(
        &self,
        at: Inside,
        left: u32,
        last: usize,
        path: &mut Vec<Turn>,
        count: &mut impl FnMut(u64) -> bool,
    ) -> bool {
        let tables = self.tables;
        if tables.corners.get(at.corners, at.slice) == 0 && tables.edges.get(at.edges, at.slice) == 0 {
            return true;
        }
        if !count(self.follow[last].len() as u64) {
            return false;
        }
        for &turn in &self.follow[last] {
            let Some(left) = left.checked_sub(self.costs[turn]) else { continue };
            let next = Inside {
                corners: tables.moves.corners[usize::from(at.corners)][turn],
                edges: tables.moves.edges[usize::from(at.edges)][turn],
                slice: tables.moves.slice[usize::from(at.slice)][turn],
            };
            if u32::from(tables.corners.get(next.corners, next.slice)) > left
                || u32::from(tables.edges.get(next.edges, next.slice)) > left
            {
                continue;
            }
            path.push(INNER[turn]);
            if self.inside(next, left, INNER[turn].face().index(), path, count) {
                return true;
            }
            path.pop();
        }
        false
    }
}
