//! The default memory budget for tables.

use sysinfo::System;

/// The budget in bytes where the system does not report what is available.
const UNKNOWN: u64 = 1 << 30;

/// Three quarters of the memory that is available now, in bytes: what the system can provide without
/// swapping, and no more than what is left under the control group's limit.
pub fn safe_share() -> u64 {
    let Ok(mut system) = System::new() else { return UNKNOWN };
    system.refresh_memory();
    share(system.available_memory(), system.cgroup_limits().map(|limits| limits.free_memory))
}

/// Leaves a quarter for the rest of the system and for the memory that a search needs besides its tables.
fn share(available: u64, group_left: Option<u64>) -> u64 {
    let bound = group_left.map_or(available, |left| left.min(available));
    bound / 4 * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_control_group_bounds_the_share() {
        assert_eq!(share(4000, None), 3000);
        assert_eq!(share(4000, Some(400)), 300);
        assert_eq!(share(400, Some(4000)), 300);
    }

    #[test]
    fn the_available_memory_is_not_zero() {
        assert!(safe_share() > 1 << 20);
    }
}
