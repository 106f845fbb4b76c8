//! The published page in a real browser, if one is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let path = std::env::var_os("PATH")?;
    let dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    dirs.iter().flat_map(|dir| names.map(|name| dir.join(name))).find(|program| program.is_file())
}

/// The page's document after loading, and the messages of the browser.
fn load(browser: &Path, page: &Path, width: u32) -> (String, String) {
    let profile = tempfile::tempdir().expect("a directory");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},900"))
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_page_renders_every_plot_and_table_without_console_errors() {
    let Some(browser) = browser() else {
        eprintln!("no Chromium on this machine: nothing was checked");
        return;
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/repro/index.html");
    let page = page.canonicalize().expect("the page is published");
    let source = std::fs::read_to_string(&page).expect("the page can be read");
    // A script that this test adds reports the layout; the page itself has none. The page
    // is loaded in a frame, since that can be as narrow as a phone, which a window cannot.
    let probe = "<script>addEventListener('load',()=>{const big=e=>{const r=e.getBoundingClientRect();return \
                 r.width>200&&r.height>40};const n=s=>[...document.querySelectorAll(s)].filter(big).length;\
                 parent.postMessage(`plots ${n('svg')} tables ${n('table')} wide ${\
                 document.documentElement.scrollWidth>innerWidth}`,'*')})</script></body>";
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("page.html"), source.replace("</body>", probe)).expect("a file");
    let framed = dir.path().join("index.html");
    let count = |what: &str| source.matches(what).count();
    for width in [1280, 360] {
        let frame = format!(
            "<script>onmessage=e=>document.title=e.data</script><iframe src=page.html width={width} height=900>"
        );
        std::fs::write(&framed, frame).expect("a file");
        let (document, log) = load(&browser, &framed, width + 50);
        let wanted = format!("plots {} tables {} wide false", count("<svg"), count("<table"));
        assert!(document.contains(&wanted), "{wanted} at {width}: {}", &document[..600.min(document.len())]);
        assert!(!log.contains("CONSOLE"), "{log}");
    }
    assert!(count("<svg") >= 10 && count("<table") >= 20);
    for figure in source.split("<figure>").skip(1) {
        let series = figure.split("</figure>").next().expect("a figure");
        assert!(series.contains('▲') && series.contains('●'), "the paper's points and ours: {figure}");
    }
}
