//! Instances in the order of their forecasts, the easiest first, within a budget of time.
//!
//! All instances are read and estimated before the first is answered; those that are malformed get their error records
//! then. An instance is begun only if its forecast fits what is left of the budget, and is then answered completely. The
//! instances that are left are listed with their forecasts.

use crate::batch::{Batch, Grouping, is_single};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::format::format_duration;
use crate::instance::Instance;
use crate::output::Output;
use crate::session::Session;
use crate::stderr;
use clap::CommandFactory;
use search_core::queue::{Cost, Queue};
use std::time::{Duration, Instant};

/// Longer forecasts are printed as this one.
const LONGEST: f64 = 1e12;

impl Session {
    /// Answers every instance like [`Session::batch_of_lines`], those with the fewest `estimate`d nodes first, and begins
    /// none whose seconds exceed what is left of the `budget`. The exit code is 4 or worse if any is left.
    ///
    /// # Errors
    /// As [`Session::batch`].
    pub fn batch_by_cost<A: CommandFactory>(
        &self,
        arguments: &[String],
        grouping: &Grouping<'_>,
        budget: Option<Duration>,
        mut estimate: impl FnMut(&Instance) -> Result<Cost, Failure>,
        answer: impl FnMut(&Instance, &mut Output) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let (begun, mut estimated) = (Instant::now(), Vec::new());
        let remedy = Some("run the same command again; no instance was answered");
        let worst = self.each_group::<A>(arguments, grouping, remedy, |instance, _| {
            estimated.push((instance.clone(), estimate(instance)?));
            Ok(Exit::Done)
        })?;
        if worst >= Exit::Interrupted {
            return Ok(worst);
        }
        let mut output = self.output();
        if worst != Exit::Done {
            output.skip_header();
        }
        let (mut batch, mut queue) =
            (Batch::new(answer, output, is_single(arguments), self.bars()), Queue::new(estimated));
        batch.worst = worst;
        while batch.stopped_at.is_none() {
            if self.is_interrupted()
                && let Some((instance, _)) = queue.waiting().next()
            {
                batch.interrupt_before(instance.origin);
                break;
            }
            let left = budget.map(|budget| budget.saturating_sub(begun.elapsed()).as_secs_f64());
            let Some(instance) = queue.next_within(left.unwrap_or(f64::INFINITY)) else { break };
            self.bars().set_place(&instance.origin.to_string());
            batch.one(Ok(instance))?;
        }
        self.bars().set_place("");
        batch.remark_failures(self);
        for (instance, cost) in queue.waiting() {
            let forecast = format_duration(Duration::from_secs_f64(cost.seconds.clamp(0.0, LONGEST)));
            self.remark(&format!("{}: not begun, forecast {forecast}", instance.origin));
            batch.worst = batch.worst.max(Exit::Unsolved);
        }
        if batch.worst == Exit::Interrupted {
            let unfinished =
                batch.stopped_at.filter(|at| queue.waiting().all(|(left, _)| left.origin != *at));
            let left = unfinished.into_iter().chain(queue.waiting().map(|(instance, _)| instance.origin));
            let left: Vec<String> = left.map(|origin| origin.to_string()).collect();
            stderr::line(format_args!("remedy: run the same command again with {}", left.join(", ")));
        }
        Ok(batch.worst)
    }
}
