//! A host that keeps tables in memory.

use optimal_puzzles_wasm::answer;
use optimal_puzzles_wasm::host::{Event, Host};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Keeps everything, unless it is full.
#[derive(Debug)]
pub struct Memory {
    begun: Instant,
    full: bool,
    threads: usize,
    /// The thread that answers.
    first: Mutex<Option<ThreadId>>,
    pub tables: Mutex<BTreeMap<String, Vec<u8>>>,
    pub events: Mutex<Vec<Event>>,
}

impl Memory {
    pub fn new(full: bool) -> &'static Memory {
        Memory::on_threads(full, 1)
    }

    pub fn on_threads(full: bool, threads: usize) -> &'static Memory {
        let (tables, events, first) = Default::default();
        Box::leak(Box::new(Memory { begun: Instant::now(), full, threads, first, tables, events }))
    }

    fn is_first(&self) -> bool {
        *self.first.lock().unwrap() == Some(thread::current().id())
    }

    pub fn ask(&'static self, request: Value) -> Value {
        *self.first.lock().unwrap() = Some(thread::current().id());
        serde_json::from_str(&answer(&request.to_string(), self)).expect("an object")
    }

    /// The answer, which must not be a refusal.
    pub fn ok(&'static self, request: Value) -> Value {
        let answer = self.ask(request);
        assert!(answer.get("ok").is_some(), "{answer}");
        answer["ok"].clone()
    }

    /// The length, the moves and the lower bound of each better solution.
    pub fn better(&self) -> Vec<(u32, String, u32)> {
        let better = |event: &Event| match event {
            Event::Better { bound, solution } => Some((solution.length, solution.moves.clone(), *bound)),
            _ => None,
        };
        self.events.lock().unwrap().iter().filter_map(better).collect()
    }

    pub fn notes(&self) -> Vec<String> {
        let note = |event: &Event| match event {
            Event::Note { line } => Some(line.clone()),
            _ => None,
        };
        self.events.lock().unwrap().iter().filter_map(note).collect()
    }
}

impl Host for Memory {
    fn report(&self, event: &Event) {
        self.events.lock().unwrap().push(event.clone());
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn kept(&self, name: &str) -> Option<u64> {
        self.tables.lock().unwrap().get(name).map(|bytes| bytes.len() as u64)
    }

    fn read(&self, name: &str, buffer: &mut [u8], offset: u64) -> bool {
        assert!(self.is_first(), "another thread reads");
        let tables = self.tables.lock().unwrap();
        let part = tables[name].get(offset as usize..).and_then(|rest| rest.get(..buffer.len()));
        part.is_some_and(|part| {
            buffer.copy_from_slice(part);
            true
        })
    }

    fn keep(&self, name: &str, header: &[u8], body: &[u8]) -> bool {
        assert!(self.is_first(), "another thread keeps");
        if !self.full {
            self.tables.lock().unwrap().insert(name.to_owned(), [header, body].concat());
        }
        !self.full
    }

    fn remove(&self, name: &str) {
        self.tables.lock().unwrap().remove(name);
    }
}

pub fn messages(answer: &Value) -> Vec<&str> {
    let faults = answer["faults"].as_array().unwrap_or_else(|| panic!("no faults: {answer}"));
    faults.iter().map(|fault| fault["message"].as_str().unwrap()).collect()
}
