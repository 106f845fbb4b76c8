use hanoi4::corners; use hanoi4::database::Goals; use search_core::{Cancel, Silent};
fn main() { let a: Vec<u32> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
 let t = std::time::Instant::now();
 let v = corners::first_touch(a[0], a[1], a[2], Goals::Middle, &Silent, &Cancel::new()).unwrap();
 println!("{a:?} {:?} max {} sum {}", t.elapsed(), v.iter().max().unwrap(), v.iter().map(|&x| x as u64).sum::<u64>()); }
