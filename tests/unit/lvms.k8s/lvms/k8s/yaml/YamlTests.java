package lvms.k8s.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** YAML inside the subset is read as everybody reads it, and all else is refused by its line. */
class YamlTests {
    private static void assertReads(String expectedJson, String yaml) {
        var tree = Yaml.read(yaml);
        assertEquals(expectedJson, Json.write(tree));
        assertEquals(expectedJson, Json.write(Yaml.read(Yaml.write(tree))), Yaml.write(tree));
    }

    @Test
    void readsNestedBlocksAndListsAtTheLevelOfTheirKey() {
        assertReads(
                "{\"a\":{\"b\":[1,{\"c\":2,\"d\":[3]}],\"e\":null},\"f\":[[4,5],[]],\"g\":{}}",
                """
                # head
                a: # comment
                  b:
                  - 1
                  -   c: 2
                      d:
                        - 3

                  e:
                f:
                  - - 4
                    - 5
                  - []
                g: {}
                """);
    }

    @Test
    void readsFlowCollectionsOverSeveralLines() {
        assertReads(
                "{\"a\":[1,{\"b\":\"c d\",\"e\":null},\"f\"],\"g\":{\"h\":[\"x:y\"]}}",
                """
                a: [1, {b: c d,
                    e: }, # comment
                  "f",
                ]
                g: {"h":[x:y]}
                """);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1;1",
                "-2;-2",
                "+3;3",
                "1.50;1.50",
                "1e3;1E+3",
                "0x1F;31",
                "~;null",
                "null;null",
                "True;true",
                "false;false",
                "0644;420",
                "0o17;15",
                "00;0",
                "0689;\"0689\"",
                "-0644;\"-0644\"",
                "'0644';\"0644\"",
                "1.2.3;\"1.2.3\"",
                "10Gi;\"10Gi\"",
                "-;[null]",
                "'it''s';\"it's\"",
                "\"a\\tb\\u0041\\x41\\n\";\"a\\tbAA\\n\"",
                "a#b;\"a#b\"",
                "a: b #c;{\"a\":\"b\"}",
                "http://x:1/y;\"http://x:1/y\"",
                "\"null\";\"null\"",
                "-x;\"-x\"",
                "\"a\": 'b: c';{\"a\":\"b: c\"}",
                "12345678901234567890;12345678901234567890",
                "2026-01-01T00:00:00Z;\"2026-01-01T00:00:00Z\"",
                "{};{}",
                "'';\"\""
            })
    void readsScalars(String yaml, String json) {
        assertEquals(json, Json.write(Yaml.read(yaml)));
    }

    @Test
    void readsBlockTextWithItsChomping() {
        assertEquals(
                "{\"a\":\"x\\n"
                        + "  y\\n"
                        + "\\n"
                        + "z\\n"
                        + "\",\"b\":\"x\\n"
                        + "y\",\"c\":\"x\\n"
                        + "\\n"
                        + "\",\"d\":\"x y\\n"
                        + "\\n"
                        + "z\\n"
                        + "\",\"e\":\"  x\\n"
                        + "\"}",
                Json.write(
                        Yaml.read(
                                "a: |\n"
                                        + "  x\n"
                                        + "    y\n\n"
                                        + "  z\n"
                                        + "b: |-\n"
                                        + "  x\n"
                                        + "  y\n\n"
                                        + "c: |+\n"
                                        + "  x\n\n"
                                        + "d: >\n"
                                        + "  x\n"
                                        + "  y\n\n\n"
                                        + "  z\n"
                                        + "e: |2\n"
                                        + "    x\n")));
        assertEquals("[\"# no comment\\n\"]", Json.write(Yaml.read("- |\n  # no comment\n")));
    }

    @Test
    void joinsPlainAndQuotedTextOverLines() {
        assertReads(
                "{\"a\":\"one two\\nthree\",\"b\":\"x y\",\"c\":\"q r\\ns\"}",
                "a: one\n  two\n\n  three\nb: \"x\n  y\"\nc: 'q\n  r\n\n  s'\n");
    }

    @Test
    void readsSeveralDocuments() {
        var all = Yaml.readAll("---\na: 1\n---\n# empty\n---\n- b\n...\n");
        assertEquals("[{\"a\":1}, [\"b\"]]", all.toString());
        assertTrue(Yaml.read("# nothing\n").isNull());
        assertThrows(YamlException.class, () -> Yaml.read("a: 1\n---\nb: 2\n"));
    }

    @ParameterizedTest(name = "line {0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "2;a: 1|b: &x 1",
                "1;*x",
                "1;a: !!str b",
                "3;a: 1|b: 2|a: 3",
                "2;a: 1|  b: 2",
                "2;a:|\tb: 1",
                "1;a: yes",
                "1;a: Off",
                "1;? a",
                "2;a: 1|<<: {}",
                "1;a: b: c",
                "2;a: [1,|",
                "2;a: 'x|",
                "1;a: \"\\q\"",
                "1;a: [1 2",
                "3;a:|  - 1| - 2",
                "1;a: 'b' c",
                "2;a: 1|b",
                "1;%YAML 1.2",
                "1;a: @b",
                "2;- a|b: c",
                "1;a: {b: 1, b: 2}"
            })
    void refusesTheRestByItsLine(int line, String text) {
        var failure = assertThrows(YamlException.class, () -> Yaml.read(text.replace('|', '\n')));
        assertEquals(line, failure.line(), failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "\"yes\"",
                "\"1\"",
                "\"0x1\"",
                "\"null\"",
                "\"\"",
                "\" a\"",
                "\"a \"",
                "\"a: b\"",
                "\"a #b\"",
                "\"- a\"",
                "\"multi\\nline\"",
                "\"*x\"",
                "\"é😀\"",
                "\"\\u0001\\u0085\\ufeff\"",
                "\"a:\"",
                "{\"on\":\"off\",\"a b\":[[],{}],\"x\":[[1],[[2]],{\"y\":[{\"z\":null}]}]}",
                "[]",
                "3.0",
                "true"
            })
    void writesWhatItReadsBack(String json) {
        var tree = Json.parse(json);
        assertTrue(tree.equals(Yaml.read(Yaml.write(tree))), Yaml.write(tree));
    }

    @Test
    void refusesDeepNesting() {
        assertThrows(YamlException.class, () -> Yaml.read("[".repeat(500)));
        assertThrows(YamlException.class, () -> Yaml.read("- ".repeat(500) + "a"));
    }
}
