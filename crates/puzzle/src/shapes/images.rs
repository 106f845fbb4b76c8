//! Images of positions under symmetries of shapes.
//!
//! **The idea.** Some relabelings of the places carry moves to moves: on square-1, the reflection that exchanges the layers. Let `π` be
//! such a permutation of the operators. If there is a map `ρ` of the rows that keeps the solved one, with `ρ(row·m) = ρ(row)·π(m)`, and in
//! each row a map of the slots of each component to slots of a component of the image that agrees with all movements, then
//! a position has an **image**: in the row `ρ`, each slot's image has the image of its piece, where the image of a piece is what the solved position has at
//! the image of its slot. Operators `m₁ m₂ …` lead from a position to the solved one exactly if `π(m₁) π(m₂) …` lead from the image there, so
//! both have one distance, and each lookup of the image is a lower bound.
//!
//! **Why an image is right.** Rows and slots are followed from the solved row through all operators. Every row and every slot of a component is
//! reached, and each operator that applies is compared, so the equations hold everywhere.
//!
//! **Limits.** Only permutations of the operators that the [search for symmetries](crate::symmetry) finds are tried, and images are not used where moves are free.
//! A symmetry that is missed loses lookups and nothing else.

use std::collections::HashMap;
use std::sync::Arc;

use search_core::{Cancelled, Op, Run};

use super::arrangement::Arrangements;
use super::components::{Component, Shape};
use super::space::State;
use super::{MOST_COMPONENTS, Shapes};
use crate::coordinate::NONE;
use crate::system::System;

/// The maximum number of bytes of the maps of a component's arrangements.
const MOST_BYTES: usize = 32 << 20;

/// The images of positions under one symmetry.
#[derive(Debug)]
pub struct Image {
    /// For each operator its image.
    ops: Vec<Op>,
    /// For each row its image.
    rows: Vec<u16>,
    /// For each component, its image and the images of its arrangements.
    components: Vec<Images>,
}

/// The images of the arrangements of a component.
#[derive(Debug)]
struct Images {
    to: usize,
    count: usize,
    /// For each row, the number of the map of its arrangements.
    of_rows: Vec<u16>,
    /// The maps: for each, the image of each arrangement.
    maps: Vec<u16>,
}

impl Image {
    /// The image of a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> usize {
        usize::from(self.rows[row])
    }

    /// The image of an operator.
    #[inline(always)]
    pub fn op(&self, op: Op) -> Op {
        self.ops[op.index()]
    }

    /// The image of a state.
    pub fn state(&self, state: &State) -> State {
        let row = usize::from(state[0]);
        let mut image = [self.rows[row], 0, 0, 0];
        for (from, Images { to, count, of_rows, maps }) in self.components.iter().enumerate() {
            let map = usize::from(of_rows[row]) * count;
            image[to + 1] = maps[map + usize::from(state[from + 1])];
        }
        image
    }
}

impl Shapes {
    /// The images of positions under the symmetries of the moves, which are found once; none where moves are free.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn images(&self, system: &System, run: &Run<'_>) -> Result<&[Arc<Image>], Cancelled> {
        if self.images.get().is_none() {
            let mut images = Vec::new();
            for symmetry in if system.free.is_empty() { system.symmetries(run)? } else { &[] } {
                run.check()?;
                images.extend(image(&self.shape, &self.kept, &symmetry.moves).map(Arc::new));
            }
            self.images.get_or_init(|| images);
        }
        Ok(self.images.get().map_or(&[], Vec::as_slice))
    }
}

/// The image under a permutation of the operators; `None` if positions have none.
fn image(shape: &Shape, kept: &[(Component, Arrangements)], renamed: &[usize]) -> Option<Image> {
    let rows = rows(shape, renamed)?;
    let mut components: Vec<Images> = Vec::new();
    for (component, arrangements) in kept {
        let is_free = |to: &usize| components.iter().all(|of| of.to != *to);
        let found = (0..kept.len()).filter(is_free).find_map(|to| {
            let slots = slots(shape, (&rows, renamed), component, &kept[to].0)?;
            images(&slots, (component, arrangements), (to, &kept[to]))
        });
        components.push(found?);
    }
    let ops = renamed.iter().map(|&image| Op::new(image)).collect();
    Some(Image { ops, rows, components })
}

/// The images of the rows, if the solved row is its own image.
fn rows(shape: &Shape, renamed: &[usize]) -> Option<Vec<u16>> {
    let (mut images, mut originals) = (vec![NONE; shape.count()], vec![NONE; shape.count()]);
    (images[0], originals[0]) = (0, 0);
    let (mut found, mut at) = (vec![0usize], 0);
    while at < found.len() {
        let row = found[at];
        for (op, &its) in renamed.iter().enumerate() {
            let (to, its) = match (shape.after(row, op), shape.after(usize::from(images[row]), its)) {
                (Some(to), Some(its)) => (to, its),
                (None, None) => continue,
                _ => return None,
            };
            if images[to] == NONE && originals[its] == NONE {
                (images[to], originals[its]) = (its as u16, to as u16);
                found.push(to);
            } else if usize::from(images[to]) != its {
                return None;
            }
        }
        at += 1;
    }
    Some(images)
}

/// For each row, the images of the slots of a component among those of another one.
fn slots(
    shape: &Shape,
    (rows, renamed): (&[u16], &[usize]),
    from: &Component,
    to: &Component,
) -> Option<Vec<u8>> {
    let count = from.solved.len();
    let is_alike = count == to.solved.len() && count < usize::from(u8::MAX);
    let mut first = (0..if is_alike { count } else { 0 }).map(|image| image as u8);
    first.find_map(|image| {
        let mut images = vec![u8::MAX; shape.count() * count];
        images[0] = image;
        let (mut found, mut at) = (vec![(0usize, 0usize)], 0);
        while at < found.len() {
            let (row, slot) = found[at];
            let image = images[row * count + slot];
            for (op, &its) in renamed.iter().enumerate() {
                let Some(after) = shape.after(row, op) else { continue };
                let moved = |of: &Component, row: usize, op: usize, slot: u8| {
                    let movement = &of.movements[usize::from(of.of_moves[row * shape.moves + op])];
                    movement.iter().position(|&source| source == slot)
                };
                let slot = moved(from, row, op, slot as u8)?;
                let image = moved(to, usize::from(rows[row]), its, image)? as u8;
                let known = &mut images[after * count + slot];
                match *known {
                    u8::MAX => {
                        *known = image;
                        found.push((after, slot));
                    }
                    known if known != image => return None,
                    _ => {}
                }
            }
            at += 1;
        }
        let is_whole =
            images.chunks_exact(count).all(|row| (0..count).all(|slot| row.contains(&(slot as u8))));
        is_whole.then_some(images)
    })
}

/// The images of arrangements, if those of the slots are known; `None` if pieces that look alike have images that differ, or maps are too large.
fn images(
    slots: &[u8],
    (component, arrangements): (&Component, &Arrangements),
    (to, (target, of_target)): (usize, &(Component, Arrangements)),
) -> Option<Images> {
    let (count, slots_of_row) = (arrangements.count(), component.solved.len());
    let mut kinds = vec![u8::MAX; component.kinds()];
    for (&kind, &image) in component.solved.iter().zip(slots) {
        let its = target.solved[usize::from(image)];
        let known = &mut kinds[usize::from(kind)];
        if *known != u8::MAX && *known != its {
            return None;
        }
        *known = its;
    }
    let relabel = |arrangement| -> Option<u16> {
        let images = arrangements.kinds(arrangement).into_iter().map(|kind| kinds[usize::from(kind)]);
        of_target.number(&images.collect::<Vec<u8>>())
    };
    let relabeled: Vec<u16> = (0..count).map(relabel).collect::<Option<_>>()?;
    let mut numbers: HashMap<&[u8], u16> = HashMap::new();
    let mut maps = Vec::new();
    let mut of_rows = Vec::new();
    for of_row in slots.chunks_exact(slots_of_row) {
        let new = u16::try_from(numbers.len()).ok()?;
        let number = *numbers.entry(of_row).or_insert(new);
        if number == new {
            if (maps.len() + count) * size_of::<u16>() > MOST_BYTES {
                return None;
            }
            let mut sources = vec![0; slots_of_row];
            (0..).zip(of_row).for_each(|(slot, &image)| sources[usize::from(image)] = slot);
            maps.extend(arrangements.moved(&sources).into_iter().map(|moved| relabeled[usize::from(moved)]));
        }
        of_rows.push(number);
    }
    Some(Images { to, count, of_rows, maps })
}

const _: () = assert!(MOST_COMPONENTS == 3, "a state has three arrangements");
