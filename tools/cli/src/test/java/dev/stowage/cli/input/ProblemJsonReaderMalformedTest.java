package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProblemJsonReaderMalformedTest {

  private static void assertMalformed(String json, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            ProblemReader.json(
                "p.json",
                new StringReader(json),
                new ProblemTensors("p.json", false, GivenDimensions.NONE)))
        .withMessage("p.json: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "``;is empty, expected an object with the key 'records'",
        "[];line 1, column 1: is a list, expected an object with the key 'records'",
        "7;line 1, column 1: is 7, expected an object with the key 'records'",
        "{};line 1, column 2: records is missing, expected an object with the key 'records'",
        "{\"records\": 5};line 1, column 13: records is 5, expected values in a list",
        "{\"records\": {}};line 1, column 13: records is an object, expected values in a list",
        "{\"records\": [5]};line 1, column 14: records[0] is 5, expected an object",
        "{\"records\": [null]};line 1, column 14: records[0] is null, expected a value",
        "{\"records\": [{}]};line 1, column 15: records[0].size is missing, expected a value",
        "{\"records\": []} {};line 1, column 17: there is text after the object,"
            + " expected the end of the file",
        "{\"records\": []} ];line 1, column 17: is not JSON: Unexpected close marker ']': ...",
        "{\"records\": [], \"records\": []};line 1, column 26: is not JSON: Duplicate Object property \"records\"",
        "{\"records\": [];line 1, column 15: is not JSON: ...",
        "{\"records\": [{\"si;line 1, column 18: is not JSON: ...",
        "{records: []};line 1, column 2: is not JSON: ...",
        "{\"records\": [], \"capacity\": -0x1};line 1, column 31: is not JSON: ...",
        "{\"records\": [], \"capacity\": 1e3};"
            + "line 1, column 29: capacity is 1e3, expected a whole number below 2^63 in digits",
        "{\"records\": [], \"capacity\": \"1\"};"
            + "line 1, column 29: capacity is \"1\", expected a whole number below 2^63 in digits",
        "{\"records\": [], \"capacity\": 9223372036854775808};"
            + "line 1, column 29: capacity is 9223372036854775808, expected a whole number below 2^63 in digits"
      })
  void read_badDocument_isAnErrorWithItsPlace(String json, String message) {
    if (message.endsWith("...")) {
      // The rest comes from the parser.
      assertThatExceptionOfType(MalformedFileException.class)
          .isThrownBy(() ->
              ProblemReader.json(
                  "p.json",
                  new StringReader(json),
                  new ProblemTensors("p.json", false, GivenDimensions.NONE)))
          .withMessageStartingWith("p.json: " + message.replace("...", ""));
    } else {
      assertMalformed(json, message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "\"size\": -1;bytes must not be negative: bytes=-1",
        "\"size\": 1, \"alignment\": 0;alignment must be positive: alignment=0",
        "\"size\": 1, \"offset\": -2;a pinned offset must not be negative: offset=-2",
        "\"size\": 1, \"offset\": 8, \"alignment\": 16;"
            + "a pinned offset must be a multiple of the alignment: offset=8, alignment=16",
        "\"size\": 1, \"gaps\": [{\"first_task\": 2, \"last_task\": 9}];"
            + "a gap must lie within the lifetime: gap 2 to 9, lifetime 1 to 8",
        "\"size\": 1, \"gaps\": [{\"first_task\": 2, \"last_task\": 3, \"window\": [0, 2]}];"
            + "the window of a gap must lie within the record: end of the window=2, bytes=1",
        "\"size\": 1, \"gaps\": [{\"first_task\": 3, \"last_task\": 2}];"
            + "a gap ends before it starts: first task=3, last task=2",
        "\"size\": 1, \"gaps\": [{\"first_task\": 3, \"last_task\": 3, \"window\": [1, 0]}];"
            + "the window of a gap must not start below 0 or after its end: start=1, end=0",
        "\"size\": 1, \"hint\": -2;hint is -2, expected 0 or more",
        "\"size\": [-1, 2];a texture has a negative dimension: [-1, 2]",
        "\"size\": [9223372036854775807, 2];a texture has more than 2^63 - 1 texels: [9223372036854775807, 2]",
        "\"size\": [3, 2], \"alignment\": 4;is a texture, expected a record without alignment, offset, hint, gaps, in_place_of, reads and bank",
        "\"size\": [3, 2], \"offset\": 0;is a texture, expected a record without alignment, offset, hint, gaps, in_place_of, reads and bank"
      })
  void read_badRecord_isAnErrorWithItsNumberAndPlace(String fields, String message) {
    String record = "{\"first_task\": 1, \"last_task\": 8, " + fields + "}";

    assertMalformed(
        "{\n\"records\": [\n" + record + "\n]}",
        "line 3, column %s: record 0: %s".formatted(record.length(), message));
  }

  @Test
  void read_moreTexelsThanALongHas_isAnErrorAsForBytes() {
    String record = "{\"id\": \"%s\", \"size\": %s, \"first_task\": 0, \"last_task\": 1}";
    String half = "[4294967296, 1073741824]";
    assertMalformed(
        "{\"records\": [" + record.formatted("a", half) + ", " + record.formatted("b", half) + "]}",
        "textures up to record 'b' have more than 2^63 - 1 texels");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "\"size\": null;9;size is null, expected a size",
        "\"size\": 1.5;9;size is 1.5, expected a whole number below 2^63 in digits",
        "\"size\": 123456789012345678901234567890;9;size is 123456789012345678901234567890, expected a whole number below 2^63 in digits",
        "\"size\": [];10;size has 0 numbers, expected 2 or 3",
        "\"size\": [1];11;size has 1 number, expected 2 or 3",
        "\"size\": [1, 2, 3, 4];20;size has 4 numbers, expected 2 or 3",
        "\"size\": [1, [2]];13;size[1] is a list, expected a whole number below 2^63 in digits",
        "\"size\": [1, null];13;size[1] is null, expected a value",
        "\"id\": true;7;id is true, expected a text",
        "\"name\": [];9;name is a list, expected a text",
        "\"gaps\": {};9;gaps is an object, expected values in a list",
        "\"gaps\": [2];10;gaps[0] is 2, expected an object",
        "\"gaps\": [null];10;gaps[0] is null, expected a value",
        "\"gaps\": [{}];11;gaps[0].first_task is missing, expected a value",
        "\"gaps\": [{\"window\": 5}];21;gaps[0].window is 5, expected values in a list",
        "\"gaps\": [{\"first_task\": 2, \"last_task\": 3, \"window\": [5, 6, 7]}];63;gaps[0] has a window of 3 numbers, expected [start, end]",
        "\"gaps\": [{\"window\": [\"2\"]}];22;gaps[0].window[0] is \"2\", expected a whole number below 2^63 in digits"
      })
  void read_badField_isAnErrorAtItsPlace(String field, int column, String message) {
    assertMalformed(
        "{\"records\": [{\n" + field + "}]}",
        "line 2, column %s: records[0].%s".formatted(column, message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[[2], []]|usage_graph[0] contains record 2, but there are 2 records, expected 0 to 1",
        "[[]]|the graph has 1 list for 2 records, expected one for each",
        "[[], [], []]|the graph has 3 lists for 2 records, expected one for each",
        "[[], [1]]|usage_graph[1] contains record 1 itself, expected other records",
        "[[1], [0]]|the usage graph has a cycle: records 0 -> 1 -> 0;"
            + " expected each record to depend on earlier ones",
        "[[1], []]|record 1, computed from record 0 (tasks 0 to 0), starts at task 0;"
            + " expected the latter to be live after its first task",
        "[[-1], []]|usage_graph[0] contains record -1, but there are 2 records, expected 0 to 1",
        "[[4294967296]]|"
            + "line 1, column 18: usage_graph[0][0] is 4294967296, expected a whole number below 2^31 in digits",
        "[[0.5]]|line 1, column 18: usage_graph[0][0] is 0.5, expected a whole number below 2^31 in digits",
        "[1]|line 1, column 17: usage_graph[0] is 1, expected values in a list",
        "{}|line 1, column 16: usage_graph is an object, expected values in a list"
      })
  void read_badUsageGraph_isAnError(String graph, String message) {
    String record = "{\"size\": 1, \"first_task\": 0, \"last_task\": 0}";

    assertMalformed(
        "{\"usage_graph\":%s, \"records\": [%s, %s]}".formatted(graph, record, record), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "[1, 1]"})
  void read_badReallocationGraph_isAnError(String size) {
    String record = "{\"size\": %s, \"first_task\": 0, \"last_task\": 0}".formatted(size);
    String records = "\"records\": [%s, %s]}".formatted(record, record);

    assertMalformed(
        "{\"reallocation_graph\": [[1], []], " + records,
        "reallocation_graph[0] contains record 1, but reallocation_graph[1] does not contain record"
            + " 0; expected a symmetric graph");
    assertMalformed(
        "{\"reallocation_graph\": [[]], " + records,
        "the graph has 1 list for 2 records, expected one for each");
    assertMalformed(
        "{\"reallocation_graph\": [[7], []], " + records,
        "reallocation_graph[0] contains record 7, but there are 2 records, expected 0 to 1");
    assertMalformed(
        "{\"usage_graph\": [[], []], \"reallocation_graph\": [[], []], " + records,
        "has both a usage_graph and a reallocation_graph, expected one of them");
  }

  @Test
  void read_textAsIndex_isAnErrorAtItsPlace() {
    String record = "{\"size\": 1, \"first_task\": 0, \"last_task\": 0}";
    assertMalformed(
        "{\"records\":[%s,%s,%s],\n\"usage_graph\":[[\"1\"],[],[]]}"
            .formatted(record, record, record),
        "line 2, column 17: usage_graph[0][0] is \"1\", expected values in a list");
  }

  @Test
  void read_bytesAndTexturesTogether_isAnError() {
    String bytes = "{\"size\": 1, \"first_task\": 0, \"last_task\": 0}";
    String flat = "{\"size\": [1, 2], \"first_task\": 0, \"last_task\": 0}";
    String deep = "{\"size\": [1, 2, 3], \"first_task\": 0, \"last_task\": 0}";

    assertMalformed(
        "{\"records\": [\n%s,\n%s]}".formatted(bytes, flat),
        "line 3, column 49: record 1: sizes are bytes in one record and an extent in another, expected one kind");
    assertMalformed(
        "{\"records\": [\n%s,\n%s]}".formatted(deep, flat),
        "line 3, column 49: record 1: expected 3 dimensions, the number of dimensions of record 0");
    assertMalformed(
        "{\"records\": [\n%s,\n%s]}".formatted(flat, deep),
        "line 3, column 52: record 1: expected 2 dimensions, the number of dimensions of record 0");
  }

  @Test
  void read_lastTaskWithoutATaskBehindIt_isAnError() {
    assertMalformed(
        "{\"records\": [{\"size\": 1, \"first_task\": 0, \"last_task\": 9223372036854775807}]}",
        "line 1, column 75: record 0: the last task is 9223372036854775807, expected less than 2^63 - 1");
  }

  @Test
  void read_partBeyondALimit_isAnErrorThatNamesNoLibrary() {
    String digits = "1".repeat(2_000);
    assertMalformed(
        "{\"capacity\": %s}".formatted(digits),
        "line 1, column 2014: is not JSON: Number value length (2000) exceeds the maximum allowed (1000)");
    assertMalformed(
        "{\"x\": 1.%s}".formatted(digits),
        "line 1, column 2009: is not JSON: Number value length (2001) exceeds the maximum allowed (1000)");
    assertMalformed(
        "{\"%s\": 1}".formatted("k".repeat(60_000)),
        "line 1, column 52734: is not JSON: Name length (52731) exceeds the maximum allowed (50000)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{\"x\": NaN};is not JSON: Non-standard token 'NaN'",
        "{\"x\": Infinity};is not JSON: Non-standard token 'Infinity'",
        "{\"x\": +1};is not JSON: Unexpected character ('+' (code 43)) in numeric value",
        "{/* no */};is not JSON: Unexpected character ('/' (code 47)): maybe a (non-standard) comment?"
      })
  void read_extensionOfJson_isAnErrorWithoutAdviceForTheParser(String json, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            ProblemReader.json(
                "p.json",
                new StringReader(json),
                new ProblemTensors("p.json", false, GivenDimensions.NONE)))
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("Feature", "enabl", "`"));
  }

  @Test
  void read_nestedGarbage_isAnErrorAndNoStackOverflow() {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            ProblemReader.json(
                "p.json",
                new StringReader("{\"x\": " + "[".repeat(1_000_000)),
                new ProblemTensors("p.json", false, GivenDimensions.NONE)))
        .withMessage(
            "p.json: line 1, column 507: is not JSON: Document nesting depth (501) exceeds the maximum allowed (500)");
  }

  @Test
  void read_ioErrorInTheMiddle_isNoErrorOfTheFormat() {
    Reader broken =
        new FilterReader(new StringReader("")) {
          @Override
          public int read(char[] buffer, int offset, int length) throws IOException {
            throw new IOException("the disk is gone");
          }
        };

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            ProblemReader.json(
                "p.json", broken, new ProblemTensors("p.json", false, GivenDimensions.NONE)))
        .withMessage("the disk is gone");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"q\";line 2, column 64: record 1: in_place_of is 'q', which no record has, expected the id of one record",
        "2;line 2, column 62: record 1: in_place_of is '2', which no record has, expected the id of one record",
        "1;record 1 must not be in place of itself",
        "\"a\";record 1 is in place of record 0, so its first task must be the last task of record 0: first task=2, last task=1"
      })
  void read_badInPlaceOf_isAnErrorWithItsRecord(String source, String message) {
    assertMalformed(
        """
        {"records": [{"id": "a", "size": 8, "first_task": 0, "last_task": 1},
        {"size": 8, "first_task": 2, "last_task": 3, "in_place_of": %s}]}
        """
            .formatted(source),
        message);
  }

  @Test
  void read_textureInPlace_isAnErrorWithItsPlace() {
    assertMalformed(
        "{\"records\": [{\"size\": [4, 4], \"first_task\": 0, \"last_task\": 1, \"in_place_of\": 1}]}",
        "line 1, column 80: record 0: is a texture, expected a record without alignment, offset, hint, gaps, in_place_of, reads and bank");
  }
}
