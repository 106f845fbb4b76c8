//! Distances that count only some moves, by a plain search: the reference for learned heuristics.
//!
//! The idea (Korf & Taylor 1996, "Automatically Learning the Heuristics"): the cost of a group of subgoals is the least
//! number of moves *of its members* that solves them, however many moves the others make. So each move costs one or
//! nothing, and states are searched from the goal in order of cost: moves that cost nothing are followed first.
//!
//! Cost: linear in states and moves; one byte per state.

/// The cost of a state that no goal reaches.
pub const UNREACHED: u8 = u8::MAX;

/// The least counted cost from `goals` to each of the states `0..states`. `moves(state, each)` calls `each(next,
/// counted)` for every move; moves are followed backward from the goals, so if a domain's moves have no inverses, pass
/// the reversed moves. Costs above 254 are capped at 254.
///
/// # Panics
/// If a goal or a move names a state that does not exist.
pub fn distances(
    states: usize,
    goals: impl IntoIterator<Item = usize>,
    mut moves: impl FnMut(usize, &mut dyn FnMut(usize, bool)),
) -> Vec<u8> {
    let mut costs = vec![UNREACHED; states];
    let mut layer: Vec<usize> = goals.into_iter().collect();
    let mut cost = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        // The layer grows by states of the same cost.
        while let Some(state) = layer.pop() {
            if costs[state] != UNREACHED {
                continue;
            }
            costs[state] = cost;
            moves(state, &mut |to, counted| {
                if costs[to] == UNREACHED {
                    if counted { next.push(to) } else { layer.push(to) }
                }
            });
        }
        layer = next;
        cost = (cost + 1).min(UNREACHED - 1);
    }
    costs
}

#[test]
fn free_moves_come_first() {
    // 0 -1- 1 -0- 2 -1- 3, and 0 -0- 4 -1- 3; 5 is isolated.
    let edges = [(0, 1, true), (1, 2, false), (2, 3, true), (0, 4, false), (4, 3, true)];
    let costs = distances(6, [0], |state, each| {
        for &(a, b, counted) in &edges {
            if a == state {
                each(b, counted);
            } else if b == state {
                each(a, counted);
            }
        }
    });
    assert_eq!(costs, [0, 1, 1, 1, 0, UNREACHED]);
    // Places 0 to 3 in a row; only the step between 1 and 2 is counted.
    let costs = distances(4, [0], |at: usize, each| {
        for to in [at.wrapping_sub(1), at + 1].into_iter().filter(|to| *to < 4) {
            each(to, at.min(to) == 1);
        }
    });
    assert_eq!(costs, [0, 0, 1, 1]);
}
