package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.cli.ReadInput;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ProblemCsvReaderMalformedTest {

  private static void assertMalformed(Reader csv, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            ProblemReader.csv(
                "p.csv", csv, new ProblemTensors("p.csv", false, GivenDimensions.NONE)))
        .withMessage("p.csv: " + message);
  }

  static Stream<Arguments> headers() {
    String expected =
        "expected id, lower, upper (exclusive) or end (inclusive), and size, separated by commas";
    return Stream.of(
        Arguments.of("", "line 1: is empty, expected a header with id, lower, upper and size"),
        Arguments.of(
            "\nid,lower,upper,size",
            "line 1: is empty, expected a header with id, lower, upper and size"),
        Arguments.of("a,0,1,5", "line 1: has the header 'a,0,1,5', " + expected),
        Arguments.of("id,lower,upper", "line 1: has the header 'id,lower,upper', " + expected),
        Arguments.of("id,upper,size", "line 1: has the header 'id,upper,size', " + expected),
        Arguments.of("lower,upper,size", "line 1: has the header 'lower,upper,size', " + expected),
        Arguments.of("id,lower,size", "line 1: has the header 'id,lower,size', " + expected),
        Arguments.of(
            "id,lower,upper,end,size",
            "line 1: has the header 'id,lower,upper,end,size', " + expected),
        Arguments.of(
            "id;lower;upper;size", "line 1: has the header 'id;lower;upper;size', " + expected),
        Arguments.of(
            "id,lower,upper,size,id",
            "line 1: has the columns 'id' and 'id', expected one of them"),
        Arguments.of(
            "id,start,begin,upper,size",
            "line 1: has the columns 'start' and 'begin', expected one of them"),
        Arguments.of(
            "\u007fELF\u0002\u0001\u0001\u0000", "line 1: has the header '?ELF', " + expected),
        Arguments.of(
            "x".repeat(59) + "\ud83d\ude00!",
            "line 1: has the header '" + "x".repeat(59) + "…', " + expected));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void read_badHeader_isAnError(String csv, String message) {
    assertMalformed(new StringReader(csv), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a,0,1;is not CSV: Not enough column values: expected 4, found 3",
        "a,0,1,5,;is not CSV: Too many entries: expected at most 4 (value #4 (0 chars) \"\")",
        "a;is not CSV: Not enough column values: expected 4, found 1",
        "a,0,1,many;record 'a': size is 'many', expected a whole number below 2^63, or a range of 1 or more for 'many' such as --dim many=1..32",
        "a,0,1,;size is missing, expected a value",
        "a,0.5,1,5;lower is \"0.5\", expected a whole number below 2^63 in digits",
        "a,0,1e3,5;upper is \"1e3\", expected a whole number below 2^63 in digits",
        "a,0,1,0x10;record 'a': expression '0x10': expected an operator or the end at character 2, found 'x10'",
        "a,0,1,9223372036854775808;record 'a': expression '9223372036854775808': a number must not exceed 2^63 - 1: 9223372036854775808",
        "a,0,9223372036854775808,1;"
            + "upper is \"9223372036854775808\", expected a whole number below 2^63 in digits",
        "a,3,3,5;record 'a': upper is 3, expected more than lower, which is 3",
        "a,3,2,5;record 'a': upper is 2, expected more than lower, which is 3",
        "a,0,-9223372036854775808,5;record 'a': upper is -9223372036854775808, expected more than lower, which is 0",
        "a,-1,2,5;record 'a': the first task must not be negative: first task=-1",
        "a,0,1,-5;record 'a': bytes must not be negative: bytes=-5",
        "`\"a\"b,0,1,5`;is not CSV: Unexpected character ('b' (code 98)): Expected column separator character (',' (code 44)) or end-of-line",
        "`\"a,0,1,5`;is not CSV: Missing closing quote for value",
        "`a,0,1,\"5`;is not CSV: Missing closing quote for value"
      })
  void read_badRow_isAnErrorWithItsLine(String row, String message) {
    String csv = "id,lower,upper,size\r\n\r\nok,0,1,1\r\n" + row + "\r\nalso ok,0,1,1\r\n";

    assertMalformed(new StringReader(csv), "line 4: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0,,;record 'a': alignment must be positive: alignment=0",
        "-8,,;record 'a': alignment must be positive: alignment=-8",
        "x,,;alignment is \"x\", expected a whole number below 2^63 in digits",
        ",-2,;record 'a': a pinned offset must not be negative: offset=-2",
        "16,8,;record 'a': a pinned offset must be a multiple of the alignment:"
            + " offset=8, alignment=16",
        ",,2-12;record 'a': a gap must lie within the lifetime: gap 2 to 11, lifetime 1 to 8",
        ",,0-2;record 'a': a gap must lie within the lifetime: gap 0 to 1, lifetime 1 to 8",
        ",,2-4 3-5;record 'a': gaps must not overlap: tasks 2 to 3 and 3 to 4",
        ",,4-4;record 'a': a gap ends before it starts: first task=4, last task=3",
        ",,0-0;record 'a': a gap ends before it starts: first task=0, last task=-1",
        ",,2-4@0:6;record 'a': the window of a gap must lie within the record: end of the window=6, bytes=5",
        ",,2-4@3:2;record 'a': the window of a gap must not start below 0 or after its end: start=3, end=2",
        ",,2;gaps[0] is '2', expected LOWER-UPPER or LOWER-UPPER@START:END",
        ",,2-4@1;gaps[0] is '2-4@1', expected LOWER-UPPER or LOWER-UPPER@START:END",
        ",,2:4-1@3;gaps[0] is '2:4-1@3', expected LOWER-UPPER or LOWER-UPPER@START:END",
        ",,-2-4;gaps[0] is '-2-4', expected LOWER-UPPER or LOWER-UPPER@START:END",
        ",,2-99999999999999999999;gaps[0] is '2-99999999999999999999', expected LOWER-UPPER or LOWER-UPPER@START:END"
      })
  void read_badOptionalFields_areErrorsWithTheirLine(String fields, String message) {
    String csv = "id,lower,upper,size,alignment,offset,gaps\na,1,9,5," + fields + "\n";

    assertMalformed(new StringReader(csv), "line 2: " + message);
  }

  @Test
  void read_errorBehindAFieldOfTwoLines_isInTheLineWhereItsRowStarts() {
    assertMalformed(
        new StringReader("id,lower,upper,size\n\"a\nb\",0,1,5\n\"c\nd\",1,1,5\n"),
        "line 4: record 'c?d': upper is 1, expected more than lower, which is 1");
  }

  @Test
  void read_lastTaskWithoutATaskBehindIt_isAnError() {
    assertMalformed(
        new StringReader("id,lower,end,size\na,0,9223372036854775807,5\n"),
        "line 2: record 'a': the last task is 9223372036854775807, expected less than 2^63 - 1");
  }

  @Test
  void read_sizesWhoseSumOverflows_isAnErrorOfTheFile() {
    assertMalformed(
        new StringReader("id,lower,upper,size\na,0,1,9223372036854775807\nb,5,6,1\n"),
        "records up to record 1 need more than 2^63 - 1 bytes: bytes=1, alignment=1");
  }

  @Test
  void read_pinWhoseEndOverflows_isAnErrorOfTheFile() {
    assertMalformed(
        new StringReader("id,lower,upper,size,offset\na,0,1,1,9223372036854775807\n"),
        "records up to record 0 need more than 2^63 - 1 bytes: bytes=1, alignment=1");
  }

  @Test
  void read_endlessLine_isGivenUpWithoutTakingAllMemory() {
    assertMalformed(
        new Endless("id,lower,upper,size\na", '0'),
        "line 2: is not CSV: String value length (1111208) exceeds the maximum allowed (1048576)");
  }

  @Test
  void read_endlessFieldOfManyLines_isGivenUpWithoutTakingAllMemory() {
    assertMalformed(
        new Endless("id,lower,upper,size\n\"", '\n'),
        "line 2: is not CSV: String value length (1111208) exceeds the maximum allowed (1048576)");
  }

  @Test
  void read_bytesThatAreNoUtf8_areAnError(@TempDir Path folder) throws IOException {
    for (String name : new String[] {"p.csv", "p.json"}) {
      Path file = Files.write(folder.resolve(name), new byte[] {'{', '"', (byte) 0xe9, '"', ':'});

      assertThatExceptionOfType(MalformedFileException.class)
          .isThrownBy(() -> ReadInput.of(file))
          .withMessage(file + ": is not UTF-8, expected a text file");
    }
  }

  /** A text that ends with endless repetitions of a character. */
  private static final class Endless extends Reader {

    private final String start;
    private final char more;
    private int position;

    Endless(String start, char more) {
      this.start = start;
      this.more = more;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        buffer[i] = position < start.length() ? start.charAt(position++) : more;
      }
      return length;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "q;2,5;line 3: record 'b': in_place_of is 'q', which no record has, expected the id of one record",
        "b;2,5;record 1 must not be in place of itself",
        "d;2,5;line 3: record 'b': in_place_of is 'd', which 2 records have, expected the id of one record",
        "a;3,5;record 1 is in place of record 0, so its first task must be the last task of record 0: first task=3, last task=2"
      })
  void read_badInPlaceOf_isAnErrorWithItsRecord(String source, String lifetime, String message) {
    assertMalformed(
        new StringReader(
            "id,lower,upper,size,in_place_of\na,0,3,8,\nb,%s,8,%s\nd,1,2,3,\nd,1,2,3,\n"
                .formatted(lifetime, source)),
        message);
  }

  @Test
  void read_cycleOfRecordsInPlace_isAnErrorWithItsRecord() {
    assertMalformed(
        new StringReader(
            """
            id,lower,end,size,in_place_of
            a,2,3,8,c
            b,2,2,8,c
            c,2,2,8,b
            """),
        "record 2 must not be in place of itself by way of others");
  }
}
