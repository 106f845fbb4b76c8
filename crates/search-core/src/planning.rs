//! Planning tasks: a puzzle in the languages that planners read, PDDL and SAS+.
//!
//! A [`Task`] has variables with finite domains, an initial value of each, a goal, and actions with conditions, effects and
//! costs. It is a factored form of a search problem: the sequences of actions from the initial state to the goal are the
//! solutions of the puzzle, and the sums of their costs are the lengths.
//!
//! In PDDL every fact (a variable and a value) is a predicate without parameters, so a task has no objects, and the two files
//! describe one instance. An effect removes the facts that it replaces: that of the condition on the same variable,
//! or, where there is none, every other value that the variable can have had. A removal never meets an addition of the same
//! fact, so it does not matter in which order a planner applies them. The size of the PDDL files is therefore quadratic in
//! the number of values where effects have conditions; that of SAS+ is linear.
//!
//! Source of the languages: M. Ghallab et al., *PDDL*, 1998, with conditional effects and action costs as in the
//! International Planning Competitions since 2008; M. Helmert, *The Fast Downward planning system*, 2006, whose translator
//! writes SAS+ in the form used here (version 3).

use std::collections::HashSet;
use std::fmt::{self, Write};

/// A variable of a state, with its values by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name: letters, digits, `-` and `_`, a letter first.
    pub name: String,
    /// The names of its values, of the same characters; at least one.
    pub values: Vec<String>,
}

/// A variable and one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The number of the variable.
    pub variable: usize,
    /// The number of the value.
    pub value: usize,
}

/// A fact that holds after an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The facts under which it applies: at most one of each variable, judged before the action.
    pub when: Vec<Fact>,
    /// The fact.
    pub fact: Fact,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its name in the notation of the puzzle; in the files it may be written in another way.
    pub name: String,
    /// Its cost.
    pub cost: u32,
    /// The facts that it needs, at most one of each variable.
    pub conditions: Vec<Fact>,
    /// Its effects; in no state do two of them that apply concern one variable.
    pub effects: Vec<Effect>,
}

/// A planning task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name: letters, digits, `-` and `_`, a letter first.
    pub name: String,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The initial value of each variable.
    pub initial: Vec<usize>,
    /// The goal: at most one fact of each variable.
    pub goal: Vec<Fact>,
    /// The actions.
    pub actions: Vec<Action>,
}

/// A task in PDDL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pddl {
    /// The file with the predicates and the actions.
    pub domain: String,
    /// The file with the initial state and the goal.
    pub problem: String,
}

impl Effect {
    /// An effect that always applies.
    pub fn always(fact: Fact) -> Effect {
        Effect { when: Vec::new(), fact }
    }
}

impl Task {
    /// The task in PDDL.
    pub fn pddl(&self) -> Pddl {
        let names = self.action_names();
        let mut domain = format!("(define (domain {})\n", self.name);
        let conditional = self.actions.iter().flat_map(|action| &action.effects).any(|e| !e.when.is_empty());
        let mut requirements = ":strips".to_owned();
        if conditional {
            requirements += " :conditional-effects";
        }
        if self.has_costs() {
            requirements += " :action-costs";
        }
        line(&mut domain, format_args!("  (:requirements {requirements})"));
        line(&mut domain, format_args!("  (:predicates"));
        for (variable, of) in self.variables.iter().enumerate() {
            let facts = (0..of.values.len()).map(|value| self.atom(Fact { variable, value }));
            line(&mut domain, format_args!("    {}", facts.collect::<Vec<_>>().join(" ")));
        }
        line(&mut domain, format_args!("  )"));
        if self.has_costs() {
            line(&mut domain, format_args!("  (:functions (total-cost) - number)"));
        }
        for (action, name) in self.actions.iter().zip(&names) {
            if *name != action.name {
                line(&mut domain, format_args!("  ; {}", action.name));
            }
            line(&mut domain, format_args!("  (:action {name}"));
            line(&mut domain, format_args!("    :parameters ()"));
            line(&mut domain, format_args!("    :precondition {}", self.all(&action.conditions)));
            line(&mut domain, format_args!("    :effect (and"));
            for effect in &action.effects {
                self.effect(&mut domain, action, effect);
            }
            if self.has_costs() {
                line(&mut domain, format_args!("      (increase (total-cost) {})", action.cost));
            }
            line(&mut domain, format_args!("    ))"));
        }
        domain.push_str(")\n");
        let mut problem = format!("(define (problem {}-instance)\n  (:domain {})\n", self.name, self.name);
        line(&mut problem, format_args!("  (:init"));
        for (variable, &value) in self.initial.iter().enumerate() {
            line(&mut problem, format_args!("    {}", self.atom(Fact { variable, value })));
        }
        if self.has_costs() {
            line(&mut problem, format_args!("    (= (total-cost) 0)"));
        }
        line(&mut problem, format_args!("  )"));
        line(&mut problem, format_args!("  (:goal {})", self.all(&self.goal)));
        if self.has_costs() {
            line(&mut problem, format_args!("  (:metric minimize (total-cost))"));
        }
        problem.push_str(")\n");
        Pddl { domain, problem }
    }

    /// The number of facts in the effects of the task in PDDL.
    pub fn pddl_facts(&self) -> u64 {
        let of_effect = |action: &Action, effect: &Effect| match action.condition_on(effect.fact.variable) {
            Some(_) => 2,
            None => self.variables[effect.fact.variable].values.len() as u64,
        };
        let of_action =
            |action: &Action| action.effects.iter().map(|effect| of_effect(action, effect)).sum::<u64>();
        self.actions.iter().map(of_action).sum()
    }

    /// The task in SAS+, as Fast Downward's search component reads it.
    pub fn sas(&self) -> String {
        let mut text = format!(
            "begin_version\n3\nend_version\nbegin_metric\n{}\nend_metric\n",
            u8::from(self.has_costs())
        );
        line(&mut text, format_args!("{}", self.variables.len()));
        for Variable { name, values } in &self.variables {
            line(&mut text, format_args!("begin_variable\n{name}\n-1\n{}", values.len()));
            for value in values {
                line(&mut text, format_args!("Atom {name}({value})"));
            }
            line(&mut text, format_args!("end_variable"));
        }
        // No groups of facts that exclude each other, beyond the variables themselves.
        line(&mut text, format_args!("0\nbegin_state"));
        for value in &self.initial {
            line(&mut text, format_args!("{value}"));
        }
        line(&mut text, format_args!("end_state\nbegin_goal\n{}", self.goal.len()));
        for Fact { variable, value } in &self.goal {
            line(&mut text, format_args!("{variable} {value}"));
        }
        line(&mut text, format_args!("end_goal\n{}", self.actions.len()));
        for (action, name) in self.actions.iter().zip(self.action_names()) {
            let changed =
                |fact: &&Fact| action.effects.iter().any(|effect| effect.fact.variable == fact.variable);
            let kept: Vec<&Fact> = action.conditions.iter().filter(|fact| !changed(fact)).collect();
            line(&mut text, format_args!("begin_operator\n{name}\n{}", kept.len()));
            for Fact { variable, value } in kept {
                line(&mut text, format_args!("{variable} {value}"));
            }
            line(&mut text, format_args!("{}", action.effects.len()));
            for Effect { when, fact } in &action.effects {
                let before =
                    action.condition_on(fact.variable).map_or("-1".to_owned(), |value| value.to_string());
                let when: String =
                    when.iter().map(|fact| format!("{} {} ", fact.variable, fact.value)).collect();
                let count = when.split_whitespace().count() / 2;
                line(&mut text, format_args!("{count} {when}{} {before} {}", fact.variable, fact.value));
            }
            line(&mut text, format_args!("{}\nend_operator", action.cost));
        }
        // No axioms.
        line(&mut text, format_args!("0"));
        text
    }

    /// Whether the cost of a solution is not the number of its actions.
    fn has_costs(&self) -> bool {
        self.actions.iter().any(|action| action.cost != 1)
    }

    fn atom(&self, Fact { variable, value }: Fact) -> String {
        let Variable { name, values } = &self.variables[variable];
        format!("({name}-{})", values[value])
    }

    fn all(&self, facts: &[Fact]) -> String {
        let atoms: Vec<String> = facts.iter().map(|fact| self.atom(*fact)).collect();
        format!("(and {})", atoms.join(" "))
    }

    /// Writes an effect with its removals.
    fn effect(&self, text: &mut String, action: &Action, effect: &Effect) {
        let Effect { when, fact } = effect;
        let added = self.atom(*fact);
        let others = match action.condition_on(fact.variable) {
            Some(value) => vec![value],
            None => (0..self.variables[fact.variable].values.len()).collect(),
        };
        let others = others.into_iter().filter(|value| *value != fact.value);
        let removed = others.map(|value| format!("(not {})", self.atom(Fact { value, ..*fact })));
        let changes = format!("{added} {}", removed.collect::<Vec<_>>().join(" "));
        if when.is_empty() {
            line(text, format_args!("      {}", changes.trim_end()));
        } else {
            line(text, format_args!("      (when {} (and {}))", self.all(when), changes.trim_end()));
        }
    }

    /// The names of the actions in the files: they differ, also where capital letters count as small ones.
    fn action_names(&self) -> Vec<String> {
        let mut used = HashSet::new();
        let named = |action: &Action| {
            let plain = plain(&action.name);
            let numbered = (2..).map(|number| format!("{plain}-{number}"));
            let mut names = std::iter::once(plain.clone()).chain(numbered);
            names.find(|name| used.insert(name.to_lowercase())).expect("some number is not used")
        };
        self.actions.iter().map(named).collect()
    }
}

impl Action {
    /// The value that a variable must have before the action.
    fn condition_on(&self, variable: usize) -> Option<usize> {
        self.conditions.iter().find(|fact| fact.variable == variable).map(|fact| fact.value)
    }
}

/// A name of letters, digits, `-` and `_`, a letter first.
pub fn plain(name: &str) -> String {
    let allowed = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '-' || symbol == '_';
    let mut plain = String::new();
    for symbol in name.chars() {
        match symbol {
            '\'' => plain.push_str("-inverse"),
            symbol if allowed(symbol) => plain.push(symbol),
            _ => plain.push('_'),
        }
    }
    if plain.starts_with(|first: char| first.is_ascii_alphabetic()) { plain } else { format!("n{plain}") }
}

fn line(text: &mut String, line: fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}
