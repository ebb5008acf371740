package dev.stowage.onnx.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ProfiledOperator.Tensors;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceProfileTest {

  private static final String LOADING =
      "{\"cat\":\"Session\",\"pid\":1,\"tid\":1,\"dur\":5,\"ts\":0,\"ph\":\"X\",\"name\":\"model_loading_uri\",\"args\":{}}";

  static LongStream seeds() {
    return Seeds.of(300);
  }

  private static String operator(
      int thread, long start, long duration, String name, long size, long inUse, long peak) {
    return String.format(
        Locale.ROOT,
        "{\"cat\":\"Node\",\"tid\":%d,\"dur\":%d,\"ts\":%d,\"name\":\"%s_kernel_time\",\"args\":{"
            + "\"op_name\":\"Relu\",\"input_type_shape\":[{\"float\":[%d]},{\"int64\":[]}],"
            + "\"output_type_shape\":[{\"float\":[%d]}],\"output_size\":\"%d\",\"activation_size\":\"12\","
            + "\"parameter_size\":\"3\",\"mem_bytes_in_use\":\"%d\",\"mem_in_use_delta\":\"-4\","
            + "\"mem_in_use_peak\":\"%d\",\"mem_arena_held\":\"4096\",\"thread_scheduling_stats\":"
            + "{\"main_thread\":{\"block_size\":[1,2]},\"sub_threads\":{\"7\":{\"core\":0},\"8\":{}}}}}",
        thread,
        duration,
        start,
        name,
        size,
        size,
        4 * size,
        inUse,
        peak);
  }

  private static String run(int thread, long start, long duration) {
    return String.format(
        Locale.ROOT,
        "{\"cat\":\"Session\",\"tid\":%d,\"dur\":%d,\"ts\":%d,\"name\":\"model_run\",\"args\":{}}",
        thread,
        duration,
        start);
  }

  private static String text(String... events) {
    return "[\n" + String.join(",\n", events) + "\n]\n";
  }

  private static ServiceProfile read(String text) throws IOException {
    return ProfileReader.read(
        "p.json",
        new StringReader(text),
        operators -> Map.of("x", operators.getFirst().tensors().inputs().getFirst()));
  }

  private static List<String> names(ProfiledRun run) {
    return run.operators().stream().map(ProfiledRun.Operator::name).toList();
  }

  @Test
  void read_runsOfTwoShapes_countsEachAndSortsBySize() throws IOException {
    ServiceProfile profile =
        read(
            text(
                LOADING,
                operator(1, 10, 5, "a", 3, 100, 100),
                run(1, 9, 10),
                operator(1, 30, 5, "a", 8, 150, 400),
                run(1, 29, 10),
                operator(1, 50, 5, "a", 8, 160, 400),
                run(1, 49, 10)));
    assertThat(profile.counts()).isEqualTo(new ServiceProfile.Counts(3, false, false));
    assertThat(profile.runs()).hasSize(2);
    ProfiledRun largest = profile.runs().getFirst();
    assertThat(largest.outputBytes()).isEqualTo(32);
    assertThat(largest.operators().getFirst().tensors().inputs()).hasToString("[[8], []]");
  }

  @Test
  void read_operatorsOfABody_leavesThemOut() throws IOException {
    ServiceProfile profile =
        read(
            text(
                operator(1, 10, 5, "before", 3, 0, 0),
                operator(1, 21, 2, "inner", 3, 0, 0),
                operator(1, 24, 2, "inner", 9, 0, 0),
                operator(1, 20, 9, "loop", 3, 0, 0),
                operator(1, 30, 5, "after", 3, 0, 0),
                run(1, 9, 30)));
    assertThat(names(profile.runs().getFirst())).containsExactly("before", "loop", "after");
  }

  @Test
  void read_afterARunThatFailed_leavesItOut() throws IOException {
    ServiceProfile profile =
        read(
            text(
                operator(1, 10, 5, "a", 3, 0, 0),
                operator(1, 30, 5, "b", 3, 0, 0),
                run(1, 29, 30)));
    assertThat(names(profile.runs().getFirst())).containsExactly("b");
  }

  @Test
  void read_runsThatOverlap_keepsTheOperatorsOfEach() throws IOException {
    ServiceProfile profile =
        read(
            text(
                operator(1, 10, 5, "a", 3, 0, 100),
                operator(2, 12, 5, "a", 3, 0, 100),
                run(1, 9, 10),
                run(2, 11, 12)));
    assertThat(profile.counts()).isEqualTo(new ServiceProfile.Counts(2, false, false));
    assertThat(profile.runs()).hasSize(1);
  }

  @Test
  void read_aFileThatIsCut_hasTheCompleteRuns() throws IOException {
    String text =
        text(
            operator(1, 10, 5, "a", 3, 0, 0),
            run(1, 9, 10),
            operator(1, 30, 5, "a", 8, 0, 0),
            run(1, 29, 10));
    int end = text.indexOf("model_run", text.indexOf("model_run") + 1);
    ServiceProfile profile = read(text.substring(0, end));
    assertThat(profile.counts()).isEqualTo(new ServiceProfile.Counts(1, true, false));
    assertThat(profile.runs()).hasSize(1);
  }

  @Test
  void parse_aFileThatIsCutAnywhere_isIncomplete() throws IOException {
    String text = text(LOADING, operator(1, 10, 5, "a", 3, 0, 0), run(1, 9, 10)).strip();
    for (int end = 1; end < text.length(); end++) {
      assertThat(
              ProfileEventParser.parse(
                  "p.json", new StringReader(text.substring(0, end)), (_, _) -> {}))
          .as("%d characters", end)
          .isFalse();
    }
  }

  @Test
  void read_moreShapesThanAreKept_hasTheLargest() throws IOException {
    List<String> events = new ArrayList<>();
    IntStream.range(0, 100)
        .forEach(i -> {
          long size = 1 + (37L * i) % 100;
          events.add(operator(1, 10L * i + 1, 5, "a", size, 0, 0));
          events.add(run(1, 10L * i, 8));
        });
    ServiceProfile profile = read(text(events.toArray(String[]::new)));
    assertThat(profile.counts()).isEqualTo(new ServiceProfile.Counts(100, false, true));
    assertThat(profile.runs().stream().map(ProfiledRun::outputBytes))
        .containsExactlyElementsOf(
            LongStream.range(0, ServiceProfile.MAX_SHAPES)
                .map(i -> 4 * (100 - i))
                .boxed()
                .toList());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void read_aDamagedFile_answersOrIsMalformed(long seed) {
    Random random = new Random(seed);
    StringBuilder text =
        new StringBuilder(
            text(
                LOADING,
                operator(1, 10, 5, "a", 3, 0, 0),
                run(1, 9, 10),
                operator(1, 30, 5, "a", 8, 0, 0),
                run(1, 29, 10)));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.setLength(at + 1);
        case 1 -> text.setCharAt(at, "{}[]\",:-9e\\".charAt(random.nextInt(11)));
        default -> text.insert(at, text.substring(at, at + random.nextInt(text.length() - at)));
      }
    }
    try {
      assertThat(read(text.toString()).runs()).isNotEmpty();
    } catch (IOException e) {
      assertThat(e).isInstanceOf(MalformedFileException.class).hasMessageStartingWith("p.json: ");
    }
  }

  @Test
  void read_operatorsInAnotherThread_isMalformed() {
    assertMalformed(
        text(
            operator(2, 10, 5, "a", 3, 0, 0),
            operator(3, 11, 5, "b", 3, 0, 0),
            run(1, 9, 30),
            operator(2, 50, 5, "a", 3, 0, 0),
            run(1, 49, 30)),
        "p.json: has operators in other threads than their run, expected a session with ExecutionMode.SEQUENTIAL");
  }

  @Test
  void read_runThatFailedInAnotherThread_leavesItOut() throws IOException {
    ServiceProfile profile =
        read(
            text(
                operator(2, 10, 5, "a", 3, 0, 0), operator(1, 10, 6, "a", 8, 0, 0), run(1, 9, 30)));
    assertThat(profile.counts()).isEqualTo(new ServiceProfile.Counts(1, false, false));
  }

  @Test
  void or_executionsThatAreLargerInOneTensorEach_hasTheLargerOfEach() {
    ProfiledRun.Operator larger = execution(List.of(3L, 9L)).or(execution(List.of(8L, 2L)));
    assertThat(larger.tensors().outputs()).hasToString("[[8], [9]]");
    assertThat(larger.outputBytes()).isEqualTo(36);
  }

  private static ProfiledRun.Operator execution(List<Long> sizes) {
    List<ValueType.Tensor> outputs =
        sizes.stream()
            .map(size -> ValueType.Tensor.of(ElementType.FLOAT.code(), List.of(size)))
            .toList();
    return new ProfiledRun.Operator(
        "a", "Relu", new Tensors(List.of(), outputs), 4 * Collections.max(sizes));
  }

  private static void assertMalformed(String text, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(text))
        .withMessage(message);
  }

  @Test
  void read_otherFiles_areMalformed() {
    assertMalformed(
        "",
        "p.json: is empty; ONNX Runtime writes a profile when the session ends it, or is closed");
    assertMalformed(
        "{\"a\":1}", "p.json: is not a list of events, expected a profile of ONNX Runtime");
    assertMalformed("[1]", "p.json: event 1: is not an object, expected a profile of ONNX Runtime");
    assertMalformed(
        "[]", "p.json: has no run, expected a profile of ONNX Runtime in which a session ran");
    assertMalformed(
        "[" + LOADING,
        "p.json: ends within an event, before the end of the first run; expected at least one run");
    assertMalformed(
        text(operator(1, 10, 5, "a", 3, 0, 0), run(1, 9, 10)) + "[]",
        "p.json: has text after the list of events, expected the end of the file");
    assertMalformed(
        text(operator(1, -10, 5, "a", 3, 0, 0)),
        "p.json: event 1: has a negative number, expected a profile of ONNX Runtime");
    assertMalformed(
        text(LOADING, operator(1, 10, 5, "a", -3, 0, 0)),
        "p.json: event 2: has a negative size, expected a profile of ONNX Runtime");
    assertMalformed(
        "[{\"cat\":\"Node\",\"name\":\"a_kernel_time\",\"ts\":1.5}]",
        "p.json: event 1: has a number that is not a whole number of 64 bits: For input string: \"1.5\", expected a profile of ONNX Runtime");
  }
}
