package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.StringReader;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Randomly damaged problems. The reader returns a problem or throws an error with its place. */
final class ProblemDamageTest {

  private static final int DAMAGES_PER_SEED = 500;

  private static final String CSV =
      """
      id,lower,upper,size,alignment,hint,gaps,offset,name,in_place_of
      a,0,9,20,4,-1,2-4@0:8 6-7,16,conv,
      "b,""c"" ",3,5,7,1,5,,-1,,
      d,9223372036854775806,9223372036854775807,9007199254740993,,,,,,
      e,8,9,20,,,,,,a
      f,8,10,20,,,,,,e
      """;

  private static final String JSON =
      """
      {"capacity": 1048576, "usage_graph": [[1], [], []], "records": [
        {"id": "a", "size": 20, "first_task": 0, "last_task": 8, "alignment": 4, "offset": 16,
         "gaps": [{"first_task": 2, "last_task": 3, "window": [0, 8]}]},
        {"id": 7, "name": "b\\n", "size": 7, "first_task": 3, "last_task": 4, "hint": 5},
        {"size": 9007199254740993, "first_task": 9223372036854775806,
         "last_task": 9223372036854775806}]}
      """;

  private static final String IN_PLACE =
      """
      {"records": [
        {"id": "a", "size": 20, "first_task": 0, "last_task": 8},
        {"size": 7, "first_task": 8, "last_task": 8, "in_place_of": "a"},
        {"size": 7, "first_task": 8, "last_task": 9, "in_place_of": 1}]}
      """;

  private static final String RANGES_JSON =
      """
      {"dimensions": {"b": [1, 8], "seq": [2, 512]}, "records": [
      {"id": "x", "size": "4*b*seq", "first_task": 0, "last_task": 1, "offset": 0},
      {"id": "y", "size": "max(b, 16) + ceil(seq/3)", "first_task": 1, "last_task": 2, "offset": 16384,
       "in_place_of": "x"},
      {"id": "z", "size": 100, "first_task": 2, "last_task": 2, "alignment": 4, "offset": 0}]}
      """;

  private static final String RANGES_CSV =
      """
      id,lower,upper,size,name,offset
      x,0,2,4*b,in,0
      y,1,3,"roundup(b*(b - 1)/2 + 1, 4)",out,64
      """;

  private static final String TEXTURES =
      """
      {"reallocation_graph": [[1], [0]], "records": [{"size": [4, 3], "first_task": 0, "last_task": 2},
                   {"size": [2, 8], "first_task": 1, "last_task": 3, "other": {"x": [null, 1]}}]}
      """;

  /** Texts that are critical for the formats. */
  private static final String[] SPLINTERS = {
    ",",
    "\"",
    "\n",
    "\r",
    "-1",
    "0",
    "9223372036854775807",
    "99999999999999999999",
    "[",
    "]",
    "{",
    "}",
    ":",
    "@",
    "-",
    " ",
    "null",
    "\u0000",
    "\uFEFF",
    "\ud800",
    "end",
    "size",
    "1e400",
    "\\u",
    "\\"
  };

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_damagedProblem_isRefusedOrStillAProblem(long seed) throws IOException {
    Random random = new Random(seed);
    int mostEdits = 1 + random.nextInt(8);
    for (int i = 0; i < DAMAGES_PER_SEED; i++) {
      tryRead(damaged(CSV, mostEdits, random), true);
      tryRead(damaged(JSON, mostEdits, random), false);
      tryRead(damaged(IN_PLACE, mostEdits, random), false);
      tryRead(damaged(TEXTURES, mostEdits, random), false);
      tryReadPlan(damaged(RANGES_JSON, mostEdits, random), false);
      tryReadPlan(damaged(RANGES_CSV, mostEdits, random), true);
    }
  }

  private static void tryRead(String text, boolean csv) throws IOException {
    ProblemTensors read = new ProblemTensors("p", false, GivenDimensions.NONE);
    try {
      PlanInput input =
          csv
              ? ProblemReader.csv("p", new StringReader(text), read)
              : ProblemReader.json("p", new StringReader(text), read);
      assertThat(input.labels())
          .as(text)
          .hasSize(
              switch (input) {
                case PlanInput.Tensors tensors -> tensors.problem().records().size();
                case PlanInput.Textures textures -> textures.records().size();
              });
      assertThat(input.file().operatorCount()).as(text).isNotNegative();
    } catch (MalformedFileException e) {
      assertThat(e.getMessage()).as(text).startsWith("p: ").hasSizeLessThan(500);
    } catch (RuntimeException e) {
      throw new AssertionError("reading this threw " + e + ": " + text, e);
    }
  }

  private static void tryReadPlan(String text, boolean csv) throws IOException {
    tryRead(text, csv);
    GivenDimensions dimensions =
        GivenDimensions.of(DimensionRanges.of(new DimensionRange("b", 1, 9)));
    ProblemTensors tensors = new ProblemTensors("p", true, dimensions);
    try {
      PlanInput input =
          csv
              ? ProblemReader.csv("p", new StringReader(text), tensors)
              : ProblemReader.json("p", new StringReader(text), tensors);
      PlacedInput plan = tensors.plan(input);
      assertThat(plan.plan().recordCount()).as(text).isEqualTo(plan.input().labels().size());
    } catch (MalformedFileException e) {
      assertThat(e.getMessage()).as(text).startsWith("p: ").hasSizeLessThan(700);
    } catch (RuntimeException e) {
      throw new AssertionError("reading this threw " + e + ": " + text, e);
    }
  }

  /** {@return a text with one or more random edits} */
  static String damaged(String text, int mostEdits, Random random) {
    StringBuilder damaged = new StringBuilder(text);
    for (int edits = 1 + random.nextInt(mostEdits); edits > 0 && !damaged.isEmpty(); edits--) {
      int at = random.nextInt(damaged.length());
      int length = 1 + random.nextInt(Math.min(30, damaged.length() - at));
      switch (random.nextInt(6)) {
        case 0 -> damaged.setLength(at);
        case 1 -> damaged.setCharAt(at, (char) (damaged.charAt(at) ^ 1 << random.nextInt(7)));
        case 2 -> damaged.delete(at, at + length);
        case 3 -> damaged.insert(at, damaged.substring(at, at + length));
        case 4 -> damaged.insert(at, SPLINTERS[random.nextInt(SPLINTERS.length)]);
        default -> damaged.replace(at, at + 1, SPLINTERS[random.nextInt(SPLINTERS.length)]);
      }
    }
    return damaged.toString();
  }
}
