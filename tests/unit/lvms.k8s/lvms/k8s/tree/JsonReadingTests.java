package lvms.k8s.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** JSON is read as RFC 8259 has it, and a failure says where, never what. */
class JsonReadingTests {
    private static String failureOf(String text) {
        return assertThrows(JsonException.class, () -> Json.parse(text)).getMessage();
    }

    private static Tree ofHex(String hex) {
        return Json.parse(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "-0.5",
                "\"\"",
                "[]",
                "{}",
                "{\"a\":[1,\"b\",{\"c\":null}],\"\":false}",
                "9223372036854775807",
                "123456789012345678901234567890",
                "\"\u007f\u00e4\ud83d\ude00\"",
            })
    void readsWhatItWrites(String text) {
        assertEquals(text, Json.write(Json.parse(text)).replace("\\u007f", "\u007f"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "[1,",
                "{\"a\"",
                "{\"a\":",
                "\"a",
                "\"\\",
                "\"\\\"",
                "{\"a\":1,",
            })
    void aTextThatEndsTooSoonSaysSo(String text) {
        assertEquals("the text ends within a value", failureOf(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\":1,}",
                "{,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\" 1}",
                "{\"a\";1}",
                "[1}",
                "{\"a\":1]",
                "01",
                "-",
                "-01",
                "+1",
                ".5",
                "1.",
                "1e",
                "1e+",
                "1.e1",
                "1-1",
                "NaN",
                "Infinity",
                "True",
                "nul",
                "truth",
                "//",
                "/**/1",
                "\"\t\"",
                "\"\n\"",
                "\"\\x41\"",
                "\"\\'\"",
                "\"\\u12g4\"",
                "\"\\u123\"",
                "\f1",
                "\u00a01",
            })
    void whatIsNotJsonIsRefused(String text) {
        assertTrue(failureOf(text).startsWith("not JSON"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 1", "{} x", "[]]", "\"a\"\"b\"", "nullnull", "{},", "0x10"})
    void nothingMayFollow(String text) {
        assertEquals("text after the end of the document", failureOf(text));
    }

    @Test
    void theFailureSaysWhereAndNotWhat() {
        assertEquals(
                "not JSON at byte 14: expected a value", failureOf("{\"password\": [hunter2]}"));
        assertEquals("not JSON at byte 10: expected , or }", failureOf("{\"a\":\"b\"  \"c\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22ff22", // no character begins so
                "22c322", // half a character
                "22c0af22", // a slash in two bytes
                "22eda08022", // half of a surrogate pair
                "22f490808022", // beyond Unicode
            })
    void aTextThatIsNotUtf8IsRefused(String hex) {
        var failure = assertThrows(JsonException.class, () -> ofHex(hex));
        assertEquals("the text is not UTF-8", failure.getMessage());
    }

    @Test
    void aByteOrderMarkIsSkippedOnce() {
        assertEquals(Tree.of(1), ofHex("efbbbf31"));
        assertThrows(JsonException.class, () -> ofHex("efbbbfefbbbf31"));
    }

    @Test
    void everyEscapeIsRead() {
        assertEquals(
                "\"\\/\b\f\n\r\t\u0000\u00e4\ud83d\ude00\ud800",
                Json.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00E4\\uD83d\\uDE00\\ud800\"")
                        .asText());
    }

    @Test
    void halfASurrogatePairIsNoText() {
        assertEquals("half of a surrogate pair in the text", failureOf("\"\ud800\""));
    }

    @Test
    void ofANameThatComesTwiceTheLastValueWins() {
        assertEquals("{\"a\":3,\"b\":2}", Json.write(Json.parse("{\"a\":1,\"b\":2,\"a\":3}")));
        var many = new StringBuilder("{\"n5\":\"first\"");
        for (int i = 0; i < 40; i++) {
            many.append(",\"n").append(i).append("\":").append(i);
        }
        var object = Json.parse(many + "}").asObject();
        assertEquals(40, object.size());
        assertEquals(5, object.number("n5").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.10", "1E+400", "0.1000000000000000055511151231257827"})
    void numbersKeepTheirDigits(String text) {
        assertEquals(text, Json.write(Json.parse(text)));
    }

    @Test
    void aNumberHasLimits() {
        assertEquals("a number out of range", failureOf("1e99999999999"));
        assertEquals("number of 600 characters", failureOf("1".repeat(600)));
    }

    @Test
    void depthHasALimit() {
        Json.parse("[".repeat(201) + "]".repeat(201));
        assertEquals(
                "nested deeper than 200", failureOf("[".repeat(100_000) + "]".repeat(100_000)));
    }

    /** A stream that gives little at a time, so that everything is cut somewhere. */
    private static InputStream slow(String text, int size) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(size, length));
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void aStreamMayBeCutAnywhere(int size) throws IOException {
        var long1 = "\"" + "\u00e4\\n".repeat(30_000) + "\"";
        var items =
                List.of("{\"a\":\"\\u00e4\\\"\"}", "-12.5e3", "true", "null", long1, "[\"\", {}]");
        var text =
                "{\"kind\":\"L\", \"items\": [" + String.join(" , ", items) + "],\"x\":{\"y\":1}} ";
        var read = new ArrayList<Tree>();
        var rest = Json.parse(slow(text, size), "items", Omission.NOTHING, read::add);
        assertEquals("{\"kind\":\"L\",\"x\":{\"y\":1}}", Json.write(rest));
        assertEquals(items.stream().map(Json::parse).toList(), read);
    }

    @Test
    void aListThatIsNoneIsAMember() throws IOException {
        var rest = Json.parse(slow("{\"items\":null}", 5), "items", Omission.NOTHING, item -> {});
        assertEquals("{\"items\":null}", Json.write(rest));
    }

    /** The fields that the server manages, as they come with an object of a list or a watch. */
    private static final Omission MANAGED = new Omission(2, "metadata", "managedFields");

    private static Tree without(Omission omission, String text) {
        return Json.parse(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), omission);
    }

    @Test
    void leavesOutAMemberOfOneLevelAlone() {
        var fields = "\"managedFields\":[{\"f\":{\"f:\\n\\u00e4 }]\":{}},\"n\":[-1e3,true,[]]}]";
        var kept = "\"spec\":{\"metadata\":{" + fields + "}}";
        var object = "{\"metadata\":{\"a\":1,%s\"b\":2}," + kept + "}";
        var event = "{" + fields + ",\"metadata\":{" + fields + "},\"object\":%s}";
        assertEquals(
                Json.parse(event.formatted(object.formatted(""))),
                without(MANAGED, event.formatted(object.formatted(fields + ","))));
    }

    @Test
    void leavesOutTheOnlyMemberAndOfEachElement() throws Exception {
        var text = "{\"items\":[%s,%s]}".formatted(managed("[]"), managed("{\"a\":\"b\"}"));
        for (int size : List.of(1, 7, 100)) {
            List<Tree> read = new ArrayList<>();
            Json.parse(slow(text, size), "items", MANAGED, read::add);
            var bare = Json.parse("{\"metadata\":{}}");
            assertEquals(List.of(bare, bare), read);
        }
    }

    private static String managed(String fields) {
        return "{\"metadata\":{\"managedFields\":" + fields + "}}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,]",
                "{\"a\"}",
                "{a:1}",
                "01",
                "\"\\x\"",
                "\"\n\"",
                "[}",
                "tru",
                "{\"a\":1]"
            })
    void whatIsLeftOutIsCheckedAllTheSame(String fields) {
        var event = "{\"object\":" + managed(fields) + "}";
        assertThrows(JsonException.class, () -> without(MANAGED, event));
    }

    @Test
    void whatIsLeftOutIsNotNestedTooDeepEither() {
        var fields = "[".repeat(300) + "]".repeat(300);
        var failure =
                assertThrows(
                        JsonException.class,
                        () -> without(MANAGED, "{\"object\":" + managed(fields) + "}"));
        assertEquals("nested deeper than 200", failure.getMessage());
    }
}
