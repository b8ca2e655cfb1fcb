//! Changed templates: nothing panics, whatever was cut, removed or inserted.

use crate::chat_template_input::run;
use crate::corpus::Corpus;

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// How many times more tests a long run makes.
fn times() -> usize {
    if std::env::var_os("GGUF_LONG").is_some() { 10 } else { 1 }
}

fn changed(source: &str, random: &mut Random) -> Vec<u8> {
    const PIECES: [&str; 16] = [
        "{%",
        "%}",
        "{{",
        "}}",
        "{#",
        "-",
        "|",
        "(",
        "]",
        "'",
        "\\",
        "{% endfor %}",
        " if ",
        "[::-1]",
        ".items()",
        "\r\n",
    ];
    let mut bytes = source.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        let piece = PIECES[random.below(PIECES.len())].as_bytes();
        match random.below(4) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, piece.iter().copied())),
            2 => drop(bytes.splice(at..end, piece.iter().copied())),
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

#[test]
fn cut_templates_do_not_panic() {
    let Some(corpus) = Corpus::open() else { return };
    for (index, name) in corpus.names().iter().enumerate() {
        let source = corpus.template(name);
        // Each cut of a template takes a rendering. Long templates are cut at fewer places.
        let step = (1 + source.len() * source.len() / 20_000) / times() + 1;
        for end in (index % step..source.len()).step_by(step) {
            let _ = gguf_template::Template::parse(&String::from_utf8_lossy(&source.as_bytes()[..end]));
            if end % 5 == 0 {
                run(&source.as_bytes()[..end]);
            }
        }
    }
}

#[test]
fn changed_templates_do_not_panic() {
    let Some(corpus) = Corpus::open() else { return };
    let mut random = Random(1);
    for name in corpus.names() {
        let source = corpus.template(&name);
        let count = if source.len() > 2000 { 1 } else { 6 } * times();
        (0..count).for_each(|_| run(&changed(&source, &mut random)));
    }
}
