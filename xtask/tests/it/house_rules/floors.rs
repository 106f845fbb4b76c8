//! The tables "Modules of …" in docs/architecture.md are true: they list every top-level module of the crate; a module
//! imports only modules of the rows above it and of its own row; the column "relies on" names exactly those that it
//! imports.

use super::crates::members;
use super::rooms::House;
use super::sources::root;
use std::collections::BTreeSet;
use std::fs;

const HEADING: &str = "## Modules of ";

/// A row of a table: modules, and those that they rely on if the table has that column.
struct Row {
    rooms: Vec<String>,
    relies: Option<BTreeSet<String>>,
}

#[test]
fn the_tables_of_modules_are_true() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).expect("the document");
    let mut faults = Vec::new();
    let mut sections = text.split(HEADING);
    sections.next();
    let sections: Vec<&str> = sections.collect();
    assert!(sections.len() >= 2, "docs/architecture.md has tables under '{HEADING}…'");
    for section in sections {
        let name = section.lines().next().expect("a heading");
        let member = members().into_iter().find(|member| member.name == name);
        let house = House::read(&member.unwrap_or_else(|| panic!("{name} is a crate")).root);
        let faulty = faults_of(&rows(section), &house);
        faults.extend(faulty.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(faults.is_empty(), "docs/architecture.md:\n{}", faults.join("\n"));
}

fn faults_of(rows: &[Row], house: &House) -> Vec<String> {
    let listed: Vec<&String> = rows.iter().flat_map(|row| &row.rooms).collect();
    let missing = house.rooms.iter().filter(|room| !listed.contains(room));
    let mut faults: Vec<String> = missing.map(|room| format!("{room} is not in the table")).collect();
    let mut above = BTreeSet::new();
    for Row { rooms, relies } in rows {
        above.extend(rooms);
        let imports: BTreeSet<String> = rooms
            .iter()
            .flat_map(|room| house.imports_of(room))
            .filter(|room| !rooms.contains(room))
            .collect();
        faults
            .extend(rooms.iter().filter(|room| !house.rooms.contains(room)).map(|room| format!("no {room}")));
        let below = imports.iter().filter(|room| !above.contains(room));
        faults.extend(below.map(|room| format!("{rooms:?} imports {room}, which is not above it")));
        if relies.as_ref().is_some_and(|relies| *relies != imports) {
            faults.push(format!("{rooms:?} relies on {imports:?}"));
        }
    }
    faults
}

/// The rows of a section's table: the words in backticks of its first and third columns.
fn rows(section: &str) -> Vec<Row> {
    let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let lines = section.lines().skip_while(|line| !line.starts_with("| module"));
    let mut lines = lines.take_while(|line| line.starts_with('|'));
    let relies_on = lines.next().expect("a table").contains("relies on");
    lines
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('|').collect();
            let relies = relies_on.then(|| words(cells[3]).into_iter().collect());
            Row { rooms: words(cells[1]), relies }
        })
        .collect()
}

#[test]
fn rows_are_read_from_a_table() {
    let section =
        "x\n\n| module | contents | relies on |\n| --- | --- | --- |\n| `a`, `b` | `c` | `d` |\n\n| no |";
    let rows = rows(section);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].rooms, ["a", "b"]);
    assert_eq!(rows[0].relies, Some(BTreeSet::from(["d".to_owned()])));
}
