//! A sorted list of permutations as a tree over their images.
//!
//! A node represents all permutations of the list with the same first images; its children differ in the next image. A
//! node with a single permutation has no children: the remaining images are read from the list.

use super::images::{Images, images};
use crate::cube::Cube;
use std::ops::Range;

/// A node of the tree: one with several permutations, or one permutation of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// The contents of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At<'a> {
    /// One permutation.
    Single(&'a Images),
    /// Several: the values of the next image, and the child for each.
    Several(&'a [(u8, NodeId)]),
}

const SINGLE: u32 = 1 << 31;

/// The list and the tree.
#[derive(Clone, Debug)]
pub(crate) struct Trie {
    list: Vec<Images>,
    nodes: Vec<Node>,
    /// The children of all nodes, one node after the other, by value.
    children: Vec<(u8, NodeId)>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its part of the list.
    list: [u32; 2],
    /// Its part of the children.
    children: [u32; 2],
}

impl Trie {
    /// The tree of a list that is sorted by images and has no duplicates.
    ///
    /// # Panics
    /// If the list is empty or has 2^31 entries or more.
    pub(crate) fn new(cubes: &[Cube]) -> Trie {
        assert!(!cubes.is_empty() && cubes.len() < SINGLE as usize, "the list has a size that fits");
        let list: Vec<Images> = cubes.iter().map(images).collect();
        let whole = Node { list: [0, list.len() as u32], children: [0; 2] };
        let mut trie = Trie { list, nodes: vec![whole], children: Vec::new() };
        let (mut level, mut begin) = (0, 0);
        while begin < trie.nodes.len() {
            let end = trie.nodes.len();
            (begin..end).for_each(|node| trie.branch(node, level));
            (level, begin) = (level + 1, end);
        }
        trie
    }

    /// Gives a node its children: the ranges of its list that agree in the image at `level`.
    fn branch(&mut self, node: usize, level: usize) {
        let [mut from, end] = self.nodes[node].list.map(|at| at as usize);
        let first_child = self.children.len() as u32;
        while from < end {
            let value = self.list[from][level];
            let to = from + self.list[from..end].partition_point(|images| images[level] == value);
            let node = self.add(from, to);
            self.children.push((value, node));
            from = to;
        }
        self.nodes[node].children = [first_child, self.children.len() as u32];
    }

    /// Adds the node of a range of the list; a single permutation needs no entry.
    fn add(&mut self, from: usize, to: usize) -> NodeId {
        if to - from == 1 {
            return NodeId(SINGLE | from as u32);
        }
        self.nodes.push(Node { list: [from as u32, to as u32], children: [0; 2] });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The node of the whole list.
    pub(crate) fn root(&self) -> NodeId {
        if self.list.len() == 1 { NodeId(SINGLE) } else { NodeId(0) }
    }

    /// The contents of a node.
    #[inline(always)]
    pub(crate) fn at(&self, node: NodeId) -> At<'_> {
        if node.0 & SINGLE != 0 {
            return At::Single(&self.list[(node.0 & !SINGLE) as usize]);
        }
        let [begin, end] = self.nodes[node.0 as usize].children;
        At::Several(&self.children[begin as usize..end as usize])
    }

    /// The numbers in the list of the permutations of a node.
    #[inline(always)]
    pub(crate) fn numbers(&self, node: NodeId) -> Range<usize> {
        let [begin, end] = match node.0 & SINGLE {
            0 => self.nodes[node.0 as usize].list,
            _ => [node.0 & !SINGLE, (node.0 & !SINGLE) + 1],
        };
        begin as usize..end as usize
    }

    /// A permutation of the list.
    #[inline(always)]
    pub(crate) fn images(&self, number: usize) -> &Images {
        &self.list[number]
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Layers;
    use super::*;
    use crate::Metric;

    /// Every permutation is found by its images, and a node contains all permutations with the same first images.
    #[test]
    fn the_tree_leads_to_every_permutation() {
        let mut layers = Layers::new(Metric::Htm.turns().to_vec());
        layers.extend_to(3);
        for cubes in [layers.at(0), layers.at(1), layers.at(3)] {
            let trie = Trie::new(cubes);
            assert_eq!(trie.numbers(trie.root()), 0..cubes.len());
            for (number, cube) in cubes.iter().enumerate() {
                let wanted = images(cube);
                let mut node = trie.root();
                let mut level = 0;
                while let At::Several(children) = trie.at(node) {
                    assert!(trie.numbers(node).all(|n| trie.images(n)[..level] == wanted[..level]));
                    node = children.iter().find(|(value, _)| *value == wanted[level]).unwrap().1;
                    level += 1;
                }
                assert_eq!((trie.images(number), trie.numbers(node)), (&wanted, number..number + 1));
            }
        }
    }
}
