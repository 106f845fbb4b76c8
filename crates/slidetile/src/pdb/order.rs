//! The numbering of the orders of a pattern's tiles, eight orders to a byte.
//!
//! The idea: listing the tiles by their cells, ascending, gives an order. Tiles are paired, the first
//! with the second and so on, up to three pairs. Exchanging the two tiles of some pairs leads to up to
//! eight orders: a **class**, one byte of a table. Each pair has a bit of the number within the byte, set
//! if its tiles are in reverse order.
//!
//! Why this numbering: a move of a tile along a row changes no order, and a move along a column takes one
//! tile past others, which maps classes to classes; within a byte, it exchanges bits whose numbers differ
//! by some mask. So a fill processes eight states with two table reads ([`Passing`]).

/// The greatest number of tiles in a pattern.
pub const MAX_TILES: usize = 8;
/// The greatest number of classes.
pub const MAX_CLASSES: usize = classes(MAX_TILES);

/// The number of pairs among `tiles` tiles.
const fn pairs(tiles: usize) -> usize {
    if tiles / 2 > 3 { 3 } else { tiles / 2 }
}

/// The number of classes of the orders of `tiles` tiles: the bytes of a zone.
pub const fn classes(tiles: usize) -> usize {
    let (mut orders, mut tile) = (1, 2);
    while tile <= tiles {
        orders *= tile;
        tile += 1;
    }
    orders >> pairs(tiles)
}

/// The class of an order, and its number within the class. `at` gives the tiles' cells, `held` the set
/// of them. Classes are numbered by the places of the first pair, then those of the second among the
/// rest, and so on.
///
/// # Panics
/// If there are more than 8 tiles.
#[inline(always)]
pub fn order(tiles: usize, at: &[u8; MAX_TILES], held: u32) -> (usize, u32) {
    // Constants for the usual numbers, so that the loops are unrolled.
    match tiles {
        6 => order_of::<6>(at, held),
        7 => order_of::<7>(at, held),
        8 => order_of::<8>(at, held),
        _ => order_of_few(tiles, at, held),
    }
}

#[inline(always)]
fn order_of<const TILES: usize>(at: &[u8; MAX_TILES], held: u32) -> (usize, u32) {
    order_loop(TILES, at, held)
}

#[inline(never)]
fn order_of_few(tiles: usize, at: &[u8; MAX_TILES], held: u32) -> (usize, u32) {
    order_loop(tiles, at, held)
}

#[inline(always)]
fn order_loop(tiles: usize, at: &[u8; MAX_TILES], held: u32) -> (usize, u32) {
    let (mut rest, mut class, mut reversed) = (held, 0, 0);
    for pair in 0..pairs(tiles) {
        let (first, second) = (1u32 << (at[2 * pair] & 31), 1u32 << (at[2 * pair + 1] & 31));
        let (a, b) = ((rest & (first - 1)).count_ones(), (rest & (second - 1)).count_ones());
        let (low, high) = (a.min(b), a.max(b));
        let places = (tiles - 2 * pair) as u32;
        class = class * (places * (places - 1) / 2) + high * (high.wrapping_sub(1)) / 2 + low;
        reversed |= u32::from(a > b) << pair;
        rest &= !(first | second);
    }
    if tiles - 2 * pairs(tiles) == 2 {
        class = 2 * class + u32::from(at[tiles - 2] > at[tiles - 1]);
    }
    (class as usize, reversed)
}

/// The maps between orders when a tile passes others.
///
/// An order's **number** is that of its class times eight, plus that within the class.
#[derive(Debug)]
pub struct Passing {
    classes: usize,
    /// By two places and the class: the number of the order that results from the first one of the class when the
    /// tile at one place goes to the other.
    maps: Vec<u16>,
    /// By mask and byte: the byte with its bits exchanged.
    exchanged: Box<[[u8; 256]; 8]>,
}

impl Passing {
    /// The maps of `tiles` tiles.
    ///
    /// # Panics
    /// If there are more than 8 tiles.
    pub fn new(tiles: usize) -> Passing {
        let held = (1u32 << tiles) - 1;
        let firsts = first_of_each_class(tiles);
        let map = |from: usize, to: usize| {
            let after = move |places: &[u8; MAX_TILES]| {
                let mut moved = *places;
                for place in &mut moved[..tiles] {
                    let here = usize::from(*place);
                    *place = match here {
                        _ if here == from => to as u8,
                        _ if from < here && here <= to => *place - 1,
                        _ if to <= here && here < from => *place + 1,
                        _ => *place,
                    };
                }
                let (class, reversed) = order(tiles, &moved, held);
                (class as u16) << 3 | reversed as u16
            };
            firsts.iter().map(after)
        };
        let maps = (0..tiles * MAX_TILES).flat_map(|pair| map(pair / MAX_TILES, pair % MAX_TILES)).collect();
        let mut exchanged = Box::new([[0; 256]; 8]);
        for (mask, bytes) in exchanged.iter_mut().enumerate() {
            for (byte, image) in bytes.iter_mut().enumerate() {
                *image =
                    (0..8).filter(|bit| byte >> (bit ^ mask) & 1 == 1).fold(0, |image, bit| image | 1 << bit);
            }
        }
        Passing { classes: classes(tiles), maps, exchanged }
    }

    /// The orders by class after the tile at place `from` goes to `to`.
    #[inline(always)]
    fn map(&self, from: usize, to: usize) -> &[u16] {
        &self.maps[(from * MAX_TILES + to) * self.classes..][..self.classes]
    }

    /// The maps, for lookups of single orders.
    #[inline(always)]
    pub(crate) fn maps(&self) -> PassingMaps<'_> {
        PassingMaps { maps: &self.maps, classes: self.classes as u32 }
    }

    /// Adds to `to` the orders that result from those of `from` when the tile at place `before` goes to `after`.
    ///
    /// # Panics
    /// If there are no such places, or the length of `to` is not the number of classes.
    #[inline(always)]
    pub fn add(
        &self,
        from: &[u8; MAX_CLASSES.next_power_of_two()],
        before: usize,
        after: usize,
        to: &mut [u8],
    ) {
        // The inverse map gives the source of each class; the mask is the same both ways.
        let map = self.map(after, before);
        assert_eq!(map.len(), to.len(), "a map of all classes");
        for (byte, source) in to.iter_mut().zip(map) {
            let here = from[usize::from(source >> 3)];
            *byte |= self.exchanged[usize::from(source & 7)][usize::from(here)];
        }
    }
}

/// The maps between orders, without the indirections of [`Passing`].
#[derive(Clone, Copy)]
pub(crate) struct PassingMaps<'p> {
    maps: &'p [u16],
    /// The number of classes.
    pub classes: u32,
}

impl PassingMaps<'_> {
    /// The number of the order that results from order `number` when the tile at place `from` goes to `to`.
    ///
    /// # Panics
    /// If there are no such places, or no such order.
    #[inline(always)]
    pub fn after(&self, number: u16, from: usize, to: usize) -> u16 {
        self.maps[(from * MAX_TILES + to) * self.classes as usize + usize::from(number >> 3)] ^ number & 7
    }
}

/// The places of the tiles in the order of each class in which no pair is reversed.
fn first_of_each_class(tiles: usize) -> Vec<[u8; MAX_TILES]> {
    let held = (1u32 << tiles) - 1;
    let mut firsts = vec![[0; MAX_TILES]; classes(tiles)];
    let mut places = [0; MAX_TILES];
    each_order(tiles, 0, 0, &mut places, &mut |places| {
        if let (class, 0) = order(tiles, places, held) {
            firsts[class] = *places;
        }
    });
    firsts
}

/// Calls `each` with all ways to put the tiles from number `tile` on into free places.
fn each_order(
    tiles: usize,
    tile: usize,
    taken: u32,
    places: &mut [u8; MAX_TILES],
    each: &mut dyn FnMut(&[u8; MAX_TILES]),
) {
    if tile == tiles {
        return each(places);
    }
    for place in (0..tiles).filter(|place| taken >> place & 1 == 0) {
        places[tile] = place as u8;
        each_order(tiles, tile + 1, taken | 1 << place, places, each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The places of the tiles of every order.
    fn orders(tiles: usize) -> Vec<[u8; MAX_TILES]> {
        let mut all = Vec::new();
        each_order(tiles, 0, 0, &mut [0; MAX_TILES], &mut |places| all.push(*places));
        all
    }

    #[test]
    fn orders_are_numbered_without_gaps() {
        for tiles in 1..=MAX_TILES {
            let held = (1 << tiles) - 1;
            let numbers: std::collections::HashSet<_> =
                orders(tiles).iter().map(|places| order(tiles, places, held)).collect();
            assert_eq!(numbers.len(), (1..=tiles).product::<usize>());
            assert!(numbers.iter().all(|&(class, bit)| class < classes(tiles) && bit < 1 << pairs(tiles)));
        }
    }

    #[test]
    fn orders_depend_on_the_order_of_the_cells_alone() {
        let (places, cells) = ([3, 0, 2, 5, 1, 4, 0, 0], [17, 2, 9, 30, 4, 21, 0, 0]);
        let held = cells[..6].iter().fold(0, |held, cell| held | 1u32 << cell);
        assert_eq!(order(6, &places, 63), order(6, &cells, held));
    }

    /// Every order, and every move of a tile past others.
    #[test]
    fn maps_of_passing_tiles_agree_with_moves_of_the_tiles() {
        for tiles in [2, 3, 5, 6, 7] {
            let (passing, held) = (Passing::new(tiles), (1 << tiles) - 1);
            let number: HashMap<[u8; MAX_TILES], (usize, u32)> =
                orders(tiles).into_iter().map(|places| (places, order(tiles, &places, held))).collect();
            for (before, after) in
                (0..tiles).flat_map(|a| (0..tiles).map(move |b| (a, b))).filter(|(a, b)| a != b)
            {
                for (places, &(class, bit)) in number.iter().step_by(7) {
                    let mut list: Vec<usize> = vec![0; tiles];
                    (0..tiles).for_each(|tile| list[usize::from(places[tile])] = tile);
                    let moved = list.remove(before);
                    list.insert(after, moved);
                    let mut then = [0; MAX_TILES];
                    list.iter().enumerate().for_each(|(place, &tile)| then[tile] = place as u8);
                    let mut from = [0; MAX_CLASSES.next_power_of_two()];
                    from[class] = 1 << bit;
                    let mut to = vec![0; classes(tiles)];
                    passing.add(&from, before, after, &mut to);
                    let mut expected = vec![0; classes(tiles)];
                    expected[number[&then].0] = 1 << number[&then].1;
                    assert_eq!(to, expected);
                    let after = passing.maps().after((class << 3) as u16 | bit as u16, before, after);
                    assert_eq!(after, (number[&then].0 << 3) as u16 | number[&then].1 as u16);
                }
            }
        }
    }
}
