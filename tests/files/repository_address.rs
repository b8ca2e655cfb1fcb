//! Names and addresses of repositories on a hub.

use gguf_files::repository::{HUB, RepositoryAddress};

fn parsed(text: &str) -> Option<(String, Option<String>, Option<String>)> {
    let address = RepositoryAddress::parse(text, HUB)?;
    Some((address.id, address.revision, address.path))
}

fn expect(text: &str, id: &str, revision: Option<&str>, path: Option<&str>) {
    let owned = |text: Option<&str>| text.map(ToString::to_string);
    assert_eq!(parsed(text), Some((id.to_string(), owned(revision), owned(path))), "{text}");
}

#[test]
fn names() {
    expect("owner/name", "owner/name", None, None);
    expect(" owner/Name-1.5_x ", "owner/Name-1.5_x", None, None);
    expect("owner/name@v1", "owner/name", Some("v1"), None);
    expect("hub:owner/name", "owner/name", None, None);
    expect("hub:owner/name/", "owner/name", None, None);
    expect("HUB:owner/name@refs%2Fpr%2F1/a b/m.gguf", "owner/name", Some("refs/pr/1"), Some("a b/m.gguf"));
    expect("hub:datasets/owner/name/m.gguf", "datasets/owner/name", None, Some("m.gguf"));
    expect("hub:owner/name.gguf", "owner/name.gguf", None, None);
    expect("datasets/owner/name", "datasets/owner/name", None, None);
}

#[test]
fn addresses() {
    expect("https://huggingface.co/owner/name", "owner/name", None, None);
    expect("http://HF.co/owner/name/", "owner/name", None, None);
    expect("hf.co/owner/name?x=/y#z", "owner/name", None, None);
    expect("https://huggingface.co/owner/name.gguf", "owner/name.gguf", None, None);
    expect("https://huggingface.co/owner/name/tree/main", "owner/name", Some("main"), None);
    expect("https://huggingface.co/owner/name/tree/main/Q4", "owner/name", Some("main"), Some("Q4"));
    expect("https://huggingface.co/owner/name/discussions/4", "owner/name", None, None);
    expect("https://huggingface.co/gpt2/resolve/main/a/m.gguf", "gpt2", Some("main"), Some("a/m.gguf"));
    expect("https://huggingface.co/owner/tree/blob/main/m.gguf", "owner/tree", Some("main"), Some("m.gguf"));
    expect(
        "https://huggingface.co/owner/name/resolve/refs%2Fpr%2F1/Q4%20K/m.gguf?download=true",
        "owner/name",
        Some("refs/pr/1"),
        Some("Q4 K/m.gguf"),
    );
    expect("https://huggingface.co/spaces/owner/name", "spaces/owner/name", None, None);
    expect(
        "https://huggingface.co/datasets/owner/name/raw/v1/m.gguf",
        "datasets/owner/name",
        Some("v1"),
        Some("m.gguf"),
    );
}

#[test]
fn addresses_of_another_hub() {
    let parse = |text| RepositoryAddress::parse(text, "http://127.0.0.1:80/mirror");
    assert_eq!(parse("http://127.0.0.1:80/mirror/owner/name").map(|found| found.id).as_deref(), Some("owner/name"));
    assert_eq!(parse("http://127.0.0.1:80/mirrors/owner/name"), None);
    assert_eq!(parse("https://hf.co/owner/name").map(|found| found.id).as_deref(), Some("owner/name"));
}

#[test]
fn other_texts_name_no_repository() {
    for text in [
        "",
        "/",
        "name",
        "owner/",
        "/name",
        "sample.gguf",
        "models/x.gguf",
        "models/X.GGUF",
        "models/folder/x.gguf",
        "./models/x",
        "../x",
        "a/..",
        "owner/na me",
        "owner/name@",
        "owner/näme",
        "-owner/name",
        "C:/folder",
        "https://example.com/owner/name",
        "example.com:80/owner/name",
        "file:///owner/name",
        "https://huggingface.co",
        "https://huggingface.co/",
        "https://huggingface.co/owner",
        "https://huggingface.co/datasets/owner",
        "https://huggingface.co/docs/hub",
        "https://huggingface.co/api/models/owner/name",
        "https://huggingface.co/owner/%zz",
        "https://huggingface.co/owner/name/tree/main/%ff",
        "https://huggingface.co.evil.com/owner/name",
        "hub:",
        "hub:owner",
        "hub:owner/name/../x.gguf",
        "hub:owner/name//x.gguf",
    ] {
        assert_eq!(parsed(text), None, "{text}");
    }
    assert_eq!(parsed(&format!("owner/{}", "n".repeat(97))), None);
}

#[test]
fn nothing_leads_out_of_the_repository() {
    for part in [
        "..",
        ".",
        "",
        "a\\b",
        "a?b",
        "a#b",
        "%2e%2E",
        "%2E",
        "..%2f..",
        "..%5C",
        "a%3fb",
        "a%23b",
        "%252e%252e",
        "a%252Fb",
    ] {
        for text in [
            format!("hub:owner/name@{part}"),
            format!("hub:owner/name@{part}/m.gguf"),
            format!("hub:owner/name@a%2F{part}/m.gguf"),
            format!("https://huggingface.co/owner/name/tree/{part}/a"),
            format!("https://huggingface.co/owner/name/tree/main/{part}/m.gguf"),
            format!("https://huggingface.co/owner/name/{part}/tree/main"),
            format!("https://huggingface.co/{part}/name/tree/main"),
            format!("http://hub/{part}/owner/name"),
        ] {
            // An address ends where its query or its fragment begins.
            if part.contains(['?', '#']) && text.starts_with("http") {
                continue;
            }
            assert_eq!(RepositoryAddress::parse(&text, "http://hub"), None, "{text}");
        }
    }
    for part in ["..", ".", "", "a\\b", "a?b", "a#b", "..%2f..", "%2e%2e", "a%5Cb"] {
        assert_eq!(parsed(&format!("hub:owner/name/{part}/m.gguf")), None, "{part}");
    }
    assert_eq!(parsed("https://huggingface.co/o/n/tree/main/..%2f..%2fwhoami-v2"), None);
    expect("hub:owner/name@v1.0..2/a..b/100%/m.gguf", "owner/name", Some("v1.0..2"), Some("a..b/100%/m.gguf"));
    expect("https://hf.co/o/n/tree/a%2Fb/c", "o/n", Some("a/b"), Some("c"));
}

#[test]
fn folders() {
    let folder = |text| RepositoryAddress::parse(text, HUB).unwrap().folder().to_string();
    assert_eq!(folder("hub:owner/name"), "");
    assert_eq!(folder("hub:owner/name/m.gguf"), "");
    assert_eq!(folder("hub:owner/name/a/b/m.gguf"), "a/b");
    assert_eq!(folder("hub:owner/name/a/b"), "a/b");
}

#[test]
fn kinds() {
    let kind = |text| {
        let address = RepositoryAddress::parse(text, HUB).unwrap();
        (address.kind(), address.name().to_string())
    };
    assert_eq!(kind("owner/name"), ("models", "owner/name".into()));
    assert_eq!(kind("datasets/owner/name"), ("datasets", "owner/name".into()));
    assert_eq!(kind("https://hf.co/spaces/owner/name"), ("spaces", "owner/name".into()));
}
