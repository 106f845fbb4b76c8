//! The model of a domain whose operators are legal in every state.
//!
//! For such a domain no further description is needed: the effect of a string is the state that it reaches from one
//! reference state, and every string is legal everywhere.
//!
//! The caller must ensure: two strings that lead from the reference state to one state must do so from
//! every state. In a permutation puzzle this is true if all pieces of the reference state differ; the
//! goal usually serves.

use std::hash::{Hash, Hasher};

use xxhash_rust::xxh3::Xxh3Default;

use super::model::Model;
use crate::domain::{Domain, Op, checked_op_count};

/// A [`Model`] made from a [`Domain`] whose operators are legal in every state.
#[derive(Clone, Copy, Debug)]
pub struct Everywhere<'d, D: Domain> {
    domain: &'d D,
    reference: &'d D::State,
}

impl<'d, D: Domain> Everywhere<'d, D> {
    /// The model whose strings start in `reference`. Two strings that lead from there to one state
    /// must have the same effect on every state.
    ///
    /// # Panics
    /// If the domain has more than 64 operators.
    pub fn new(domain: &'d D, reference: &'d D::State) -> Everywhere<'d, D> {
        checked_op_count(domain);
        Everywhere { domain, reference }
    }
}

impl<D: Domain> Model for Everywhere<'_, D>
where
    D::State: Eq + Hash,
{
    type Walk = D::State;

    fn op_count(&self) -> usize {
        self.domain.op_count()
    }

    fn start(&self) -> D::State {
        self.reference.clone()
    }

    fn extend(&self, walk: &D::State, op: Op) -> Option<D::State> {
        Some(self.domain.apply(walk, op))
    }

    fn effect_hash(&self, walk: &D::State) -> u64 {
        let mut hasher = Xxh3Default::new();
        walk.hash(&mut hasher);
        hasher.finish()
    }

    fn same_effect(&self, a: &D::State, b: &D::State) -> bool {
        a == b
    }

    fn legal_wherever(&self, _: &D::State, _: &D::State) -> bool {
        true
    }
}
