//! The language of architectures: what the build script refuses, with file and line.

use compiler::{Compiled, Source, compile};

#[path = "../../crates/gguf-models/build/language/mod.rs"]
mod compiler;

/// What each text needs besides what it tests.
const COMMON: &str = r#"common {
  block_count:u embedding_length:u expert_count:u?
  all_blocks = block_count
  blocks = all_blocks
  experts = expert_count
  window = 0
  swa = 0
  embd = embedding_length
}
row some "Some"
row other-2 "Another"
numbers { T }
results { x }
graph start { x = input[embedding_length] }
graph block { @mixer }
graph mixer { x = mm(x, attn_norm) }
graph finish { output(x) }
"#;

fn compiled(text: &str) -> Result<Compiled, Vec<String>> {
    let source = |name: &str, text: &str| Source { name: name.to_owned(), text: text.to_owned() };
    compile(&[source("common.family", COMMON), source("dense.family", text)])
}

/// A text whose rules and sections are right, with other statements before the end of its rules.
fn with_rules(statements: &str) -> String {
    format!("rules some other-2 {{\n  each {{ attn_norm[embd] }}\n  {statements}\n}}\n")
}

#[track_caller]
fn assert_mistake(text: &str, mistake: &str) {
    assert_eq!(compiled(text).unwrap_err(), [mistake]);
}

#[test]
fn a_text_without_mistakes_becomes_a_table() {
    let text =
        with_rules("/general.name:s ssm.size:u ssm.other:u? ? ssm.size>1 { ssm.third:u }") + "graph mixer other-2 {}";
    let compiled = compiled(&text).unwrap();
    assert_eq!(compiled.required_keys, ":block_count embedding_length \nsome other-2:/general.name ssm.size \n");
    assert!(compiled.lists.contains("other-2") && compiled.lists.contains("pub const T: u8 = 0;"));
    assert!(!compiled.rules.is_empty() && !compiled.graphs.is_empty());
    assert!(!String::from_utf8_lossy(&compiled.rules).contains("attn_norm"));
}

#[test]
fn names_that_do_not_exist_are_mistakes() {
    let unknown_key = "ssm.size: there is no such definition, and no statement reads such a key";
    assert_mistake(&with_rules("ssm_in[ssm.size]"), &format!("dense.family:3: {unknown_key}"));
    assert_mistake(&with_rules("ssm_in[given(ssm.size, 1)]"), &format!("dense.family:3: {unknown_key}"));
    assert_mistake(&with_rules("must(has(ssm_in))"), "dense.family:3: ssm_in: no statement creates such a tensor");
    assert_mistake(&with_rules("@ends"), "dense.family:3: ends: there is no such group");
    let graph = |statements: &str| with_rules("") + "graph mixer some {\n  " + statements + "\n}";
    assert_mistake(&graph("x = same(y)"), "dense.family:6: y: there is no such result");
    assert_mistake(&graph("x = y"), "dense.family:6: y: there is no such result");
    assert_mistake(&graph("x = mm(x, attn_q)"), "dense.family:6: attn_q: no rules create the tensor attn_q");
    assert_mistake(
        &graph("x = new[wide](x)"),
        "dense.family:6: wide: there is no such number, and no rules read such a key",
    );
    assert_mistake(&graph("@moe"), "dense.family:6: moe: there is no such section");
    assert_mistake(
        &(with_rules("") + "graph mixer third {}"),
        "dense.family:5: third: there are no rules of such an architecture",
    );
}

#[test]
fn operations_and_parts_that_do_not_exist_are_mistakes() {
    let in_rules = |statement: &str, mistake: &str| {
        assert_mistake(&with_rules(statement), &format!("dense.family:3: {mistake}"));
    };
    in_rules("must(smallest(block_count)>0)", "smallest: there is no such function of rules");
    in_rules("require(embd>0)", "require: there is no such statement of rules: must or assert");
    in_rules("let wide = 1", "wide: `let` is a statement of graphs");
    in_rules("ssm.size:d", "expected a type: u, i, f, b, s or l, found d");
    in_rules("ssm_in", "ssm_in: expected `:`, `[`, `(` or `=` after it");
    let in_graph = |statement: &str, mistake: &str| {
        let text = with_rules("") + "graph mixer some {\n  " + statement + "\n}";
        assert_mistake(&text, &format!("dense.family:6: {mistake}"));
    };
    in_graph("x = add(x)", "add: there is no such operation of graphs");
    in_graph("x = new[most(x)](x)", "most: there is no such function of numbers in graphs");
    in_graph("keep(x)", "keep: there is no such statement of graphs: now, store, output or from");
    in_graph("block_count:u", "block_count: a graph reads no keys");
    in_graph("attn_norm[1]", "attn_norm: a graph creates no tensors");
    in_graph("each { now(x) }", "each: a graph has no loops over blocks");
    let parts = "row, rules, group, graph, common, numbers or results";
    assert_mistake("rule some {}", &format!("dense.family:1: rule: there is no such part: {parts}"));
    assert_mistake("rules some {\n  each {\n}\n", "dense.family:4: expected a statement, found the end of the file");
}

#[test]
fn wrong_numbers_of_arguments_are_mistakes() {
    let in_rules = |statement: &str, mistake: &str| {
        assert_mistake(&with_rules(statement), &format!("dense.family:3: {mistake}"));
    };
    in_rules("must(if(embd, 1))", "if: 2 arguments, expected 3");
    in_rules("must(embd, 1)", "must: 2 arguments, expected 1");
    in_rules("must(count(block_count, 1))", "count: 2 arguments, expected 1");
    in_rules("ssm_in[1, 2, 3, 4, 5]", "ssm_in: more than 4 dimensions");
    let group = "group ssm(n) { ssm_in[n] }\n";
    let text = with_rules("@ssm(1) @ssm(1, 2)") + group;
    assert_mistake(&text, "dense.family:3: ssm: 2 arguments, expected 1");
    let in_graph = |statement: &str, mistake: &str| {
        let text = with_rules("") + "graph mixer some {\n  " + statement + "\n}";
        assert_mistake(&text, &format!("dense.family:6: {mistake}"));
    };
    in_graph("x = mm(x)", "mm: 1 arguments, expected 2");
    in_graph("x = view[1]()", "view: 0 arguments, expected at least 1");
    in_graph("x = new[1, 2, 3, 4](x)", "new: a size has a width, rows, and bytes of an element");
    in_graph("x = same[1](x)", "same: a size has a width, rows, and bytes of an element");
    in_graph("now()", "now: 0 arguments, expected at least 1");
    in_graph("@finish(a, b)", "finish: a section has one argument, a part of a name, or none");
}

#[test]
fn what_is_not_used_is_a_mistake() {
    assert_mistake(&with_rules("recurrent = embd>1"), "dense.family:3: recurrent: the definition is not used");
    assert_mistake(&(with_rules("") + "group ssm { ssm_in[1] }"), "dense.family:5: ssm: the group is not used");
    let text = with_rules("@ssm(1)") + "group ssm(n) { ssm_in[1] }";
    assert_mistake(&text, "dense.family:5: n: the parameter is not used");
    assert_mistake(&(with_rules("") + "graph moe { now(x) }"), "dense.family:5: moe: the section is not used");
    let graph = |statements: &str| with_rules("") + "graph mixer some {\n  " + statements + "\n}";
    assert_mistake(&graph("let wide = 1"), "dense.family:6: wide: the number is not used");
    assert_mistake(&graph("y = same(x)"), "dense.family:6: y: the result is not used");
}

#[test]
fn mistakes_in_rows_are_found() {
    let row = |properties: &str, mistake: &str| {
        let text = with_rules("") + "rules third {}\nrow third \"Third\" {\n  " + properties + "\n}";
        assert_mistake(&text, &format!("dense.family:7: {mistake}"));
    };
    row("stores(nothing)", "stores: there is no such property of rows");
    row("keeps(everything)", "everything: keeps has no such value");
    row("keeps()", "keeps: 0 arguments, expected 1");
    row("own_cache(first)", "first: own_cache has no such value");
    row("except(encoder, decoder)", "decoder: there is no such exception");
    row("except(output_norm())", "output_norm: 0 arguments, expected 1");
    let after_rules = |text: &str, mistake: &str| {
        assert_mistake(&(with_rules("") + text), &format!("dense.family:5: {mistake}"));
    };
    let needs_rules = "third: an architecture has either rules, or only_named() or unknown_to_llama_cpp()";
    after_rules("row third \"Third\"", needs_rules);
    after_rules("rules third {}", "third: the architecture has no row");
    after_rules("row third { only_named() }", "expected a title in quotation marks, found {");
    after_rules("row third \"Some\" { only_named() }", "\"Some\": another row has this title");
    let good = "row third \"Third\" { except(output_norm(some_norm)) only_named() specified(block_count) }";
    let rows = compiled(&(with_rules("") + good)).unwrap().rows;
    let expected = r#".except(&[Exception::OutputNorm("some_norm")]).only_named().specified(&["{arch}.block_count"])"#;
    assert!(rows.contains(expected), "{rows}");
}

#[test]
fn what_is_there_twice_is_a_mistake() {
    assert_mistake(&(with_rules("") + "rules some {}"), "dense.family:5: some: the architecture has rules already");
    assert_mistake(&(with_rules("") + "graph mixer {}"), "dense.family:5: mixer: the section is there twice");
    let text = with_rules("") + "graph mixer some {}\ngraph mixer other-2 some {}";
    assert_mistake(&text, "dense.family:6: some: the section mixer is there twice");
    let text = with_rules("@ssm") + "group ssm { ssm_in[1] }\ngroup ssm { ssm_in[1] }";
    assert_mistake(&text, "dense.family:6: ssm: the group is there twice");
    let text = with_rules("@ssm") + "group ssm { @ssm }";
    assert_eq!(compiled(&text).unwrap_err()[0], "dense.family:5: ssm: the group contains itself");
}

#[test]
fn what_depends_on_itself_is_a_mistake() {
    let depends = |name: &str| format!("dense.family:3: {name}: the definition depends on itself");
    assert_mistake(&with_rules("blocks = all_blocks-blocks"), &depends("blocks"));
    assert_mistake(&with_rules("all_blocks = if(embd, blocks, 1)"), &depends("all_blocks"));
    let both = compiled(&with_rules("wide = 2*half; half = wide/2; ssm_in[wide]")).unwrap_err();
    assert_eq!(both, [depends("wide"), depends("half")]);
    let text = with_rules("") + "graph mixer some { @moe }\ngraph moe { @mixer }";
    let circle = |line: usize, name: &str| format!("{line}: {name}: the section runs itself without a condition");
    let mistakes = compiled(&text).unwrap_err();
    assert!(mistakes.contains(&format!("dense.family:{}", circle(5, "mixer"))), "{mistakes:?}");
    assert!(mistakes.contains(&format!("dense.family:{}", circle(6, "moe"))), "{mistakes:?}");
    assert!(compiled(&(with_rules("") + "graph mixer some { ? T>1 { @mixer } }")).is_ok());
}
