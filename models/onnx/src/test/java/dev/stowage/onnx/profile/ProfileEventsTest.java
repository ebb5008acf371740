package dev.stowage.onnx.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.engine.ProfiledRuns;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileEventsTest {

  private static final String LOADING =
      "{\"cat\":\"Session\",\"pid\":1,\"tid\":1,\"dur\":5,\"ts\":0,\"ph\":\"X\",\"name\":\"model_loading_uri\",\"args\":{}}";

  @TempDir private Path folder;

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

  private List<ProfiledRuns.Run> read(String text) throws IOException {
    NodeProto.Builder node = NodeProto.newBuilder().setOpType("Relu").addInput("x");
    GraphProto.Builder graph = GraphProto.newBuilder().setName("g");
    for (String name : List.of("a", "b", "loop")) {
      graph.addNode(node.clone().setName(name).addOutput(name));
    }
    Path model =
        Files.write(
            folder.resolve("m.onnx"),
            ModelProto.newBuilder().setGraph(graph).build().toByteArray());
    return ProfiledRuns.read(model, "p.json", new StringReader(text));
  }

  @Test
  void read_operatorsOfABody_leavesThemOut() throws IOException {
    List<ProfiledRuns.Run> runs =
        read(
            text(
                LOADING,
                operator(1, 10, 5, "b", 3, 0, 0),
                operator(1, 21, 2, "a", 3, 0, 0),
                operator(1, 24, 2, "a", 9, 0, 0),
                operator(1, 20, 9, "loop", 4, 0, 0),
                run(1, 9, 30)));
    assertThat(runs.getFirst().types())
        .isEqualTo(
            Map.of(
                "b", new ProfiledTensor(List.of(3L), "FLOAT"),
                "loop", new ProfiledTensor(List.of(4L), "FLOAT")));
  }

  @Test
  void read_afterARunThatFailed_leavesItOut() throws IOException {
    List<ProfiledRuns.Run> runs =
        read(
            text(
                operator(1, 10, 5, "a", 3, 0, 0),
                operator(1, 30, 5, "b", 3, 0, 0),
                run(1, 29, 30)));
    assertThat(runs.getFirst().types()).containsOnlyKeys("b");
  }

  @Test
  void read_runsThatOverlap_keepsTheOperatorsOfEach() throws IOException {
    List<ProfiledRuns.Run> runs =
        read(
            text(
                operator(1, 10, 5, "a", 3, 0, 100),
                operator(2, 12, 5, "a", 8, 0, 100),
                run(1, 9, 10),
                run(2, 11, 12)));
    assertThat(runs.getFirst().types())
        .isEqualTo(Map.of("a", new ProfiledTensor(List.of(8L), "FLOAT")));
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
      assertThat(read(text.toString())).isNotEmpty();
    } catch (IOException e) {
      assertThat(e).isInstanceOf(MalformedFileException.class).hasMessageStartingWith("p.json: ");
    }
  }

  private void assertMalformed(String text, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(text))
        .withMessage(message);
  }

  @Test
  void read_otherFiles_areMalformed() {
    assertMalformed("", "p.json: is not a list of events, expected a profile of ONNX Runtime");
    assertMalformed(
        "{\"a\":1}", "p.json: is not a list of events, expected a profile of ONNX Runtime");
    assertMalformed("[1]", "p.json: event 1: is not an object, expected a profile of ONNX Runtime");
    assertMalformed(
        "[]",
        "p.json: has no run, expected a profile of ONNX Runtime in which a session with ExecutionMode.SEQUENTIAL ran");
    assertMalformed(
        text(LOADING, operator(1, 10, 5, "a", -3, 0, 0)),
        "p.json: event 2: has a negative size, expected a profile of ONNX Runtime");
    assertMalformed(
        "[{\"cat\":\"Node\",\"name\":\"a_kernel_time\",\"tid\":1.5}]",
        "p.json: event 1: has a number that is not a whole number of 64 bits: For input string: \"1.5\", expected a profile of ONNX Runtime");
  }
}
